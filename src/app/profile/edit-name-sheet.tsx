import type { User } from '#contract/auth.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { formFields, TextField } from '#app/ui/forms/fields.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { useUpdateUser } from './session-queries.ts'

export function EditNameSheet({
  user,
  open,
  onClose,
}: {
  user: User
  open: boolean
  onClose: () => void
}) {
  return (
    <Sheet open={open} onClose={onClose} title={t('Edit name')}>
      <NameForm user={user} onDone={onClose} />
    </Sheet>
  )
}

/** Without a toast, because the new name is visible behind the sheet. */
function NameForm({ user, onDone }: { user: User; onDone: () => void }) {
  const update = useUpdateUser()
  const form = useForm({
    action: 'updateUser',
    request: update,
    read: (element) => formFields(element, ['firstName', 'lastName']),
    check: ({ firstName, lastName }) => ({
      firstName: () => checkLength('firstName', firstName),
      lastName: () => checkLength('lastName', lastName),
    }),
    send: (names) => update.mutateAsync(names),
    onDone,
  })
  return (
    <Form form={form} className="flex flex-col gap-5">
      <TextField
        label={t('First name')}
        autoComplete="given-name"
        defaultValue={user.firstName}
        {...form.field('firstName')}
      />
      <TextField
        label={t('Last name')}
        autoComplete="family-name"
        defaultValue={user.lastName}
        {...form.field('lastName')}
      />
      <Submit form={form} pendingLabel={t('Saving…')}>
        {t('Save')}
      </Submit>
    </Form>
  )
}
