import { useEffect, useState } from 'react'
import { t } from '#words/words.ts'
import { useCanUsePasskeys } from '#app/passkeys/use-can-use-passkeys.ts'
import { ProofOutlet } from '#app/proofs/proof-outlet.tsx'
import { Button, LinkButton } from '#app/ui/buttons/button.tsx'
import { storedText, storeText } from '#app/ui/device/storage.ts'
import { focusAround } from '#app/ui/overlays/focus-around.ts'
import { AddPasskeyButton } from './add-passkey-button.tsx'
import { RecoveryCodesSheet } from './recovery-codes-sheet.tsx'
import { useFactors } from './security-queries.ts'

/** Offers a second factor after a deposit, until there is one or the offer is dismissed. */
export function ProtectOffer() {
  const factors = useFactors().data
  const [isDismissed, setIsDismissed] = useState(isOfferDismissed)
  const [codes, setCodes] = useState<readonly string[]>()
  const hasFactor =
    factors !== undefined && (factors.passkeys.length > 0 || factors.authenticatorSince !== null)
  const dismiss = () => {
    dismissOffer()
    setIsDismissed(true)
  }
  return (
    <>
      {factors && !hasFactor && !isDismissed && <Card onCodes={setCodes} onDismiss={dismiss} />}
      {codes && (
        <RecoveryCodesSheet codes={codes} open={codes.length > 0} onClose={() => setCodes([])} />
      )}
      <ProofOutlet />
    </>
  )
}

function Card({
  onCodes,
  onDismiss,
}: {
  onCodes: (codes: readonly string[]) => void
  onDismiss: () => void
}) {
  const canUsePasskeys = useCanUsePasskeys()
  // Moves the focus, because the focused button disappears with the offer.
  useEffect(
    () => () => void setTimeout(() => document.activeElement === document.body && focusAround()),
    [],
  )
  return (
    <section aria-labelledby="protect" className="mt-5 rounded-sheet border border-hairline p-5">
      <h3 id="protect" className="text-17 font-semibold">
        {t('Protect your money')}
      </h3>
      <p className="mt-1 mb-4 text-16 text-ink2">
        {canUsePasskeys
          ? t(
              'With a passkey, only you can sign in and withdraw, by fingerprint, face or ' +
                'device PIN.',
            )
          : t('With an authenticator app, your password alone is not enough to withdraw.')}
      </p>
      <div className="grid gap-3">
        {canUsePasskeys ? (
          <AddPasskeyButton onCodes={onCodes} />
        ) : (
          <LinkButton look="outline" href="/profile/security">
            {t('Set up an authenticator app')}
          </LinkButton>
        )}
        <Button look="quiet" onClick={onDismiss}>
          {t('Not now')}
        </Button>
      </div>
    </section>
  )
}

const KEY = 'protect-offer'

/**
 * Whether the offer was dismissed on this device. The page of sign-in and security always offers a
 * second factor.
 */
function isOfferDismissed(): boolean {
  return storedText('localStorage', KEY) === 'dismissed'
}

/** Dismisses the offer; only until the next page if the browser stores nothing. */
function dismissOffer(): void {
  storeText('localStorage', KEY, 'dismissed')
}
