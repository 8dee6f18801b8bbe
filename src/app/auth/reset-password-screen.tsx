import { checkLength } from '#core/auth/credentials.ts'
import { t, tCount } from '#words/words.ts'
import { useAction } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { useConfig } from '#app/api/queries.ts'
import { formFields, newPasswordHint, PasswordField } from '#app/ui/forms/fields.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { AuthFrame, DeadLink, isDead, useLinkToken } from './auth-frame.tsx'

export function ResetPasswordScreen() {
  const token = useLinkToken()
  return (
    <AuthFrame screen="resetPassword">
      {/* As high as the form, so that nothing below moves if the link turns out to be invalid. */}
      <div className="min-h-80">
        <PasswordForm token={token} />
      </div>
    </AuthFrame>
  )
}

function PasswordForm({ token }: { token: string | null }) {
  const reset = useAction('resetPassword', (newPassword: string) =>
    call('resetPassword', { body: { token: token ?? '', newPassword } }),
  )
  const { data: config } = useConfig()
  const [, navigate] = useLocation()
  const form = useForm({
    action: 'resetPassword',
    request: reset,
    read: (element) => formFields(element, ['newPassword']),
    check: ({ newPassword }) => ({ newPassword: () => checkLength('password', newPassword) }),
    send: ({ newPassword }) => reset.mutateAsync(newPassword),
    onDone: () => {
      showToast({ title: t('Password changed'), description: t('Sign in with your new password.') })
      navigate('/login', { replace: true })
    },
  })
  if (isDead(token, reset.error))
    return <DeadLink href="/forgot-password">{t('Request a new link')}</DeadLink>
  return (
    <Form form={form} className="flex flex-col gap-5">
      <p className="text-16 text-ink2">{followsText(config?.withdrawalHoldHours ?? 0)}</p>
      <PasswordField
        label={t('New password')}
        autoComplete="new-password"
        hint={newPasswordHint()}
        {...form.field('newPassword')}
      />
      <Submit form={form} pendingLabel={t('Saving…')}>
        {t('Set password')}
      </Submit>
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
