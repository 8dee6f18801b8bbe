import { useEffect, useState } from 'react'
import type { PasskeyAssertion } from '#contract/factors.ts'
import { t } from '#words/words.ts'
import { showFailureAs } from '#app/api/failure-toast.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import type { ButtonLook } from '#app/ui/buttons/button.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { askPasskey, PasskeyProblem, prepare } from './passkey.ts'

/** Requests a passkey from the browser and uses it. Canceling shows no error. */
export function PasskeyButton({
  label,
  look = 'primary',
  use,
}: {
  label: string
  look?: ButtonLook
  use: (passkey: PasskeyAssertion) => Promise<unknown>
}) {
  const [isPending, setIsPending] = useState(false)
  useEffect(prepare, [])
  const press = async () => {
    setIsPending(true)
    try {
      await use(await askPasskey())
    } catch (error) {
      showPasskeyFailure(error)
    }
    setIsPending(false)
  }
  return (
    <div className="grid">
      <ActionButton look={look} pending={isPending} onClick={() => void press()}>
        {label}
      </ActionButton>
    </div>
  )
}

export function showPasskeyFailure(error: unknown): void {
  const title = t('Passkey not used')
  if (error instanceof PasskeyProblem)
    return showToast({ title, description: error.message, tone: 'destructive' })
  showFailureAs(error, { title, description: t('Please try again.') })
}
