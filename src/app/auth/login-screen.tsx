import { useState, type SubmitEvent } from 'react'
import { refusalsOf } from '#contract/problem.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { useLogin } from '#app/api/actions.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { AuthFrame, linkTo } from './auth-frame.tsx'
import { focusFirstError, formFields, without, type FieldErrors } from './form-fields.ts'

export function LoginScreen() {
  const login = useLogin()
  const [errors, setErrors] = useState<FieldErrors<'username' | 'password'>>({})
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = formFields(form, ['username', 'password'])
    const wrong = refusalsOf({ username: () => checkLength('username', fields.username), password: () => checkLength('password', fields.password) })
    setErrors(wrong)
    focusFirstError(form, wrong)
    if (Object.keys(wrong).length > 0) return
    login.mutate(fields, {
      onSuccess: () => showToast({ title: t('Welcome back!'), description: t("You've successfully logged in to your trading account.") }),
      onError: (error) => {
        // We never say which of the two is wrong. The error stands at the password, which people mistype more often.
        if (error instanceof ApiError && error.code === 'wrong-credentials') {
          setErrors({ password: error.message })
          focusFirstError(form, { password: error.message })
        }
        showFailure(error, 'login')
      },
    })
  }
  return (
    <AuthFrame screen="login">
      <form method="post" noValidate onSubmit={submit} onInput={(event) => setErrors(without(errors, event.target))} className="flex flex-col gap-5">
        <TextField
          label={t('Username')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username}
        />
        <PasswordField label={t('Password')} name="password" autoComplete="current-password" error={errors.password} />
        <Button type="submit" pending={login.isPending} pendingLabel={t('Signing in...')}>
          {t('Sign In')}
        </Button>
        <FailureNote error={login.error} action="login" />
      </form>
      <p className="mt-6 flex min-h-12 items-center justify-center gap-1 text-16 text-ink2">
        <Trans message="No account yet? <link>Create one</link>" link={linkTo('/signup')} />
      </p>
    </AuthFrame>
  )
}
