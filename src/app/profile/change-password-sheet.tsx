import type { SubmitEvent } from 'react'
import { checkLength } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import {
  Form,
  formFields,
  NewPasswordField,
  newPasswordHint,
  PasswordField,
} from '#app/ui/forms/form.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { FailureNote } from '#app/api/failure-note.tsx'
import { useFieldErrors } from '#app/api/field-errors.ts'
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
  const { errors, pass, refuse } = useFieldErrors<'currentPassword' | 'newPassword'>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const fields = formFields(event.currentTarget, ['currentPassword', 'newPassword'])
    const isRight = pass({
      currentPassword: () => checkLength('password', fields.currentPassword),
      newPassword: () => checkLength('password', fields.newPassword),
    })
    if (!isRight) return
    change.mutate(fields, {
      onSuccess: () => {
        showChange(t('Password changed'))
        onDone()
      },
      onError: (error) => refuse(error, 'changePassword'),
    })
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={t('Current password')}
        name="currentPassword"
        autoComplete="current-password"
        error={errors.currentPassword}
      />
      <NewPasswordField
        label={t('New password')}
        name="newPassword"
        hint={newPasswordHint()}
        error={errors.newPassword}
      />
      <Button type="submit" pending={change.isPending} pendingLabel={t('Changing…')}>
        {t('Change password')}
      </Button>
      <FailureNote error={change.error} action="changePassword" />
    </Form>
  )
}
