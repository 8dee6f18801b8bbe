import { useState, type SubmitEvent } from 'react'
import type { Passkey } from '#contract/factors.ts'
import { PROBLEMS } from '#contract/problem.ts'
import { say, t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showSecurityFailure } from './security-toasts.ts'
import { useRenamePasskey } from './security-queries.ts'

type Props = { passkey: Passkey; open: boolean; onClose: () => void }

export function RenamePasskeySheet({ passkey, open, onClose }: Props) {
  return (
    <Sheet open={open} onClose={onClose} title={t('Rename passkey')}>
      <NameForm passkey={passkey} onDone={onClose} />
    </Sheet>
  )
}

/** The new name is seen behind the sheet, so there is no toast. */
function NameForm({ passkey: { id, name: old }, onDone }: { passkey: Passkey; onDone: () => void }) {
  const rename = useRenamePasskey()
  const [error, setError] = useState<string>()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    setError(name === '' ? say(PROBLEMS.required.message) : undefined)
    if (name === '') return
    rename.mutate({ id, name }, {
      onSuccess: onDone,
      onError: (failure) => (failure instanceof ApiError && failure.field ? setError(failure.message) : showSecurityFailure(failure, t('Name not changed'))),
    })
  }
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <TextField label={t('Name')} name="name" autoComplete="off" maxLength={50} defaultValue={old} error={error} />
      <ActionButton type="submit" pending={rename.isPending} pendingLabel={t('Saving...')}>
        {t('Save')}
      </ActionButton>
    </form>
  )
}
