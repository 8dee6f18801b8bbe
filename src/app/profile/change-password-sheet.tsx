import { useState, type SubmitEvent } from 'react'
import { refusalsOf } from '#contract/problem.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import {
  Form,
  formFields,
  NewPasswordField,
  newPasswordHint,
  PasswordField,
  type FieldErrors,
} from '#app/ui/forms/form.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { showChange } from '#app/security/security-queries.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { useChangePassword } from './session-queries.ts'

type Field = 'currentPassword' | 'newPassword'

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
  const [errors, setErrors] = useState<FieldErrors<Field>>({})
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const fields = formFields(event.currentTarget, ['currentPassword', 'newPassword'])
    const wrong = refusalsOf<Field>({
      currentPassword: () => checkLength('password', fields.currentPassword),
      newPassword: () => checkLength('password', fields.newPassword),
    })
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    change.mutate(fields, {
      onSuccess: () => {
        showChange(t('Password changed'))
        onDone()
      },
      onError: (error) => {
        if (error instanceof ApiError && error.field) setErrors({ [error.field]: error.message })
        else showFailure(error, 'changePassword')
      },
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
      <Button type="submit" pending={change.isPending} pendingLabel={t('Changing...')}>
        {t('Change password')}
      </Button>
      <FailureNote error={change.error} action="changePassword" />
    </Form>
  )
}
