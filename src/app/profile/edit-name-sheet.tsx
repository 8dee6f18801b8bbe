import type { SubmitEvent } from 'react'
import type { User } from '#contract/auth.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { t } from '#words/words.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { useFieldErrors } from '#app/api/field-errors.ts'
import { Form, formFields, TextField } from '#app/ui/forms/form.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
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

/** The new name is seen behind the sheet, so there is no toast. */
function NameForm({ user, onDone }: { user: User; onDone: () => void }) {
  const update = useUpdateUser()
  const { errors, pass, refuse } = useFieldErrors<'firstName' | 'lastName'>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const names = formFields(event.currentTarget, ['firstName', 'lastName'])
    const isRight = pass({
      firstName: () => checkLength('firstName', names.firstName),
      lastName: () => checkLength('lastName', names.lastName),
    })
    if (!isRight) return
    update.mutate(names, {
      onSuccess: onDone,
      onError: (error) => refuse(error, 'updateUser'),
    })
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label={t('First name')}
        name="firstName"
        autoComplete="given-name"
        defaultValue={user.firstName}
        error={errors.firstName}
      />
      <TextField
        label={t('Last name')}
        name="lastName"
        autoComplete="family-name"
        defaultValue={user.lastName}
        error={errors.lastName}
      />
      <Button type="submit" pending={update.isPending} pendingLabel={t('Saving…')}>
        {t('Save')}
      </Button>
      <FailureNote error={update.error} action="updateUser" />
    </Form>
  )
}
