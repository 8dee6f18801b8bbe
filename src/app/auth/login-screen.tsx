import { useState, type SubmitEvent } from 'react'
import { Link } from 'wouter'
import { useLogin } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { showToast } from '../ui/toast.ts'
import { AuthFrame } from './auth-frame.tsx'
import { checkLogin, type FieldErrors, type LoginFields } from './credential-rules.ts'
import { focusFirstError, formFields } from './form-fields.ts'

export function LoginScreen() {
  const login = useLogin()
  const [errors, setErrors] = useState<FieldErrors<LoginFields>>({})
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = formFields(event.currentTarget, ['username', 'password'])
    const wrong = checkLogin(fields)
    setErrors(wrong)
    focusFirstError(event.currentTarget, wrong)
    if (Object.keys(wrong).length > 0) return
    login.mutate(fields, {
      onSuccess: () => showToast({ title: 'Welcome back!', description: "You've successfully logged in to your trading account." }),
      onError: (error) =>
        showToast({
          title: 'Login failed',
          description: error.message || 'Please check your credentials and try again.',
          tone: 'destructive',
        }),
    })
  }
  return (
    <AuthFrame title="Sign in">
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username}
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" error={errors.password} />
        <Button type="submit" pending={login.isPending} pendingLabel="Signing in...">
          Sign In
        </Button>
      </form>
      <p className="mt-6 flex min-h-12 items-center justify-center gap-1 text-16 text-ink2">
        No account yet?
        <Link href="/signup" className="inline-flex min-h-12 items-center px-2 font-semibold text-accent">
          Create one
        </Link>
      </p>
    </AuthFrame>
  )
}
