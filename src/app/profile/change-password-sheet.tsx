import { checkLength } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import {
  formFields,
  NewPasswordField,
  newPasswordHint,
  PasswordField,
} from '#app/ui/forms/fields.tsx'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { showChange } from '#app/security/security-queries.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { useChangePassword } from './session-queries.ts'

export function ChangePasswordSheet({
  username,
  open,
  onClose,
}: {
  username: string
  open: boolean
  onClose: () => void
}) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('Change password')}
      description={t('You will be signed out on all other devices.')}
    >
      <PasswordForm username={username} onDone={onClose} />
    </Sheet>
  )
}

function PasswordForm({ username, onDone }: { username: string; onDone: () => void }) {
  const change = useChangePassword()
  const form = useForm({
    action: 'changePassword',
    request: change,
    read: (element) => formFields(element, ['currentPassword', 'newPassword']),
    check: ({ currentPassword, newPassword }) => ({
      currentPassword: () => checkLength('password', currentPassword),
      newPassword: () => checkLength('password', newPassword),
    }),
    send: (fields) => change.mutateAsync(fields),
    onDone: () => {
      showChange(t('Password changed'))
      onDone()
    },
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={t('Current password')}
        autoComplete="current-password"
        {...form.field('currentPassword')}
      />
      <NewPasswordField
        label={t('New password')}
        hint={newPasswordHint()}
        {...form.field('newPassword')}
      />
      <Submit form={form} pendingLabel={t('Changing…')}>
        {t('Change password')}
      </Submit>
    </Form>
  )
}
