import type { SubmitEvent } from 'react'
import { Refusal } from '#core/refusal.ts'
import { checkEmail, checkLength } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { useFieldErrors } from '#app/api/field-errors.ts'
import { Form, formFields, PasswordField, TextField } from '#app/ui/forms/form.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { useChangeEmail } from './session-queries.ts'

export function ChangeEmailSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('Your email address')}
      description={t('It takes effect once you open the link that we send there.')}
    >
      <EmailForm onDone={onClose} />
    </Sheet>
  )
}

/** The address that waits is seen behind the sheet, so there is no toast. */
function EmailForm({ onDone }: { onDone: () => void }) {
  const change = useChangeEmail()
  const { errors, pass, refuse } = useFieldErrors<'email' | 'currentPassword'>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const { email, currentPassword } = formFields(event.currentTarget, ['email', 'currentPassword'])
    const isRight = pass({
      email: () => checkGiven(email),
      currentPassword: () => checkLength('password', currentPassword),
    })
    if (!isRight) return
    change.mutate(
      { email, currentPassword },
      {
        onSuccess: onDone,
        onError: (error) => refuse(error, 'changeEmail'),
      },
    )
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label={t('Email')}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        error={errors.email}
      />
      <PasswordField
        label={t('Current password')}
        name="currentPassword"
        autoComplete="current-password"
        error={errors.currentPassword}
      />
      <Button type="submit" pending={change.isPending} pendingLabel={t('Saving…')}>
        {t('Save')}
      </Button>
      <FailureNote error={change.error} action="changeEmail" />
    </Form>
  )
}

function checkGiven(email: string): void {
  if (email === '') throw new Refusal('required')
  checkEmail(email)
}
