import { Refusal } from '#core/refusal.ts'
import { checkEmail, checkLength } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { formFields, PasswordField, TextField } from '#app/ui/forms/fields.tsx'
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

/** Without a toast, because the new unverified address is visible behind the sheet. */
function EmailForm({ onDone }: { onDone: () => void }) {
  const change = useChangeEmail()
  const form = useForm({
    action: 'changeEmail',
    request: change,
    read: (element) => formFields(element, ['email', 'currentPassword']),
    check: ({ email, currentPassword }) => ({
      email: () => checkGiven(email),
      currentPassword: () => checkLength('password', currentPassword),
    }),
    send: (fields) => change.mutateAsync(fields),
    onDone,
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      <TextField
        label={t('Email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        {...form.field('email')}
      />
      <PasswordField
        label={t('Current password')}
        autoComplete="current-password"
        {...form.field('currentPassword')}
      />
      <Submit form={form} pendingLabel={t('Saving…')}>
        {t('Save')}
      </Submit>
    </Form>
  )
}

function checkGiven(email: string): void {
  if (email === '') throw new Refusal('required')
  checkEmail(email)
}
