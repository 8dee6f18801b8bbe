import { useState, type SubmitEvent } from 'react'
import { Link } from 'wouter'
import { ApiError } from '#app/api/call.ts'
import { useLogin } from '#app/api/queries.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { AuthFrame } from './auth-frame.tsx'
import { checkLogin, type FieldErrors, type LoginFields } from './credential-rules.ts'
import { focusFirstError, formFields, without } from './form-fields.ts'

export function LoginScreen() {
  const login = useLogin()
  const [errors, setErrors] = useState<FieldErrors<LoginFields>>({})
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = formFields(form, ['username', 'password'])
    const wrong = checkLogin(fields)
    setErrors(wrong)
    focusFirstError(form, wrong)
    if (Object.keys(wrong).length > 0) return
    login.mutate(fields, {
      onSuccess: () => showToast({ title: 'Welcome back!', description: "You've successfully logged in to your trading account." }),
      onError: (error) => {
        // Which of the two was wrong is not said; the password is what people mistype, and the name stays as it is.
        if (error instanceof ApiError && error.code === 'wrong-credentials') {
          setErrors({ password: error.message })
          focusFirstError(form, { password: error.message })
        }
        showToast({
          title: 'Login failed',
          description: error.message || 'Please check your credentials and try again.',
          tone: 'destructive',
        })
      },
    })
  }
  return (
    <AuthFrame title="Sign in">
      <form method="post" noValidate onSubmit={submit} onInput={(event) => setErrors(without(errors, event.target))} className="flex flex-col gap-5">
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
