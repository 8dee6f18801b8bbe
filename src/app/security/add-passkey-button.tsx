import { useEffect } from 'react'
import { t } from '#words/words.ts'
import { prepare } from '#app/passkeys/passkey.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { showChange, showSecurityFailure, useAddPasskey } from './security-queries.ts'

export function AddPasskeyButton({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const add = useAddPasskey()
  useEffect(prepare, [])
  const press = () =>
    add.mutate(undefined, {
      onSuccess: ({ recoveryCodes }) => {
        showChange(t('Passkey added'))
        onCodes(recoveryCodes)
      },
      onError: (error) => showSecurityFailure(error, t('Passkey not added')),
    })
  return (
    <ActionButton
      look="outline"
      pending={add.isPending}
      pendingLabel={t('Adding…')}
      onClick={press}
    >
      {t('Add a passkey')}
    </ActionButton>
  )
}
