import type { SubmitEvent } from 'react'
import { checkLength } from '#core/auth/credentials.ts'
import { t, tCount } from '#words/words.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { useFieldErrors } from '#app/api/field-errors.ts'
import { useConfig } from '#app/api/queries.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { Form, formFields, newPasswordHint, PasswordField } from '#app/ui/forms/form.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { AuthFrame, DeadLink } from './auth-frame.tsx'
import { isDead, useLinkToken, useResetPassword } from './link-queries.ts'

export function ResetPasswordScreen() {
  const token = useLinkToken()
  return (
    <AuthFrame screen="resetPassword">
      {/* As high as the form, so that nothing below moves once the link turns out to be dead. */}
      <div className="min-h-80">
        <PasswordForm token={token} />
      </div>
    </AuthFrame>
  )
}

function PasswordForm({ token }: { token: string | null }) {
  const reset = useResetPassword()
  const { data: config } = useConfig()
  const [, navigate] = useLocation()
  const { errors, pass, refuse } = useFieldErrors<'newPassword'>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const { newPassword } = formFields(event.currentTarget, ['newPassword'])
    if (!pass({ newPassword: () => checkLength('password', newPassword) })) return
    reset.mutate(
      { token: token ?? '', newPassword },
      {
        onSuccess: () => {
          showToast({
            title: t('Password changed'),
            description: t('Sign in with your new password.'),
          })
          navigate('/login', { replace: true })
        },
        onError: (error) => refuse(error, 'resetPassword'),
      },
    )
  }
  if (isDead(token, reset.error))
    return <DeadLink href="/forgot-password">{t('Request a new link')}</DeadLink>
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <p className="text-16 text-ink2">{followsText(config?.withdrawalHoldHours ?? 0)}</p>
      <PasswordField
        label={t('New password')}
        name="newPassword"
        autoComplete="new-password"
        hint={newPasswordHint()}
        error={errors.newPassword}
      />
      <Button type="submit" pending={reset.isPending} pendingLabel={t('Saving…')}>
        {t('Set password')}
      </Button>
      <FailureNote error={reset.error} action="resetPassword" />
    </Form>
  )
}

function followsText(hours: number): string {
  if (hours === 0) return t('All devices will be signed out.')
  return tCount(hours, {
    one:
      'All devices will be signed out, and withdrawals wait for {count} hour to protect ' +
      'your account.',
    other:
      'All devices will be signed out, and withdrawals wait for {count} hours to protect ' +
      'your account.',
  })
}
