import { useState, type SubmitEvent } from 'react'
import type { Passkey } from '#contract/factors.ts'
import { refusalsOf } from '#contract/problem.ts'
import { checkLength } from '#core/auth/credentials.ts'
import { tidyName } from '#core/one-line.ts'
import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Form } from '#app/ui/forms/form.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showSecurityFailure } from './security-toasts.ts'
import { useRenamePasskey } from './security-queries.ts'

export function RenamePasskeySheet({
  passkey,
  open,
  onClose,
}: {
  passkey: Passkey
  open: boolean
  onClose: () => void
}) {
  return (
    <Sheet open={open} onClose={onClose} title={t('Rename passkey')}>
      <NameForm passkey={passkey} onDone={onClose} />
    </Sheet>
  )
}

/** The new name is seen behind the sheet, so there is no toast. */
function NameForm({
  passkey: { id, name: old },
  onDone,
}: {
  passkey: Passkey
  onDone: () => void
}) {
  const rename = useRenamePasskey()
  const [error, setError] = useState<string>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const name = tidyName(String(new FormData(event.currentTarget).get('name') ?? ''))
    const { name: wrong } = refusalsOf({ name: () => checkLength('passkeyName', name) })
    setError(wrong)
    if (wrong !== undefined) return
    rename.mutate(
      { id, name },
      {
        onSuccess: onDone,
        onError: (failure) =>
          failure instanceof ApiError && failure.field
            ? setError(failure.message)
            : showSecurityFailure(failure, t('Name not changed')),
      },
    )
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label={t('Name')}
        name="name"
        autoComplete="off"
        defaultValue={old}
        error={error}
      />
      <ActionButton type="submit" pending={rename.isPending} pendingLabel={t('Saving...')}>
        {t('Save')}
      </ActionButton>
    </Form>
  )
}
