import { useState } from 'react'
import type { Factors } from '#contract/factors.ts'
import { t } from '#words/words.ts'
import { ProofOutlet } from '#app/proofs/proof-outlet.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { AuthenticatorPart } from './authenticator-part.tsx'
import { PasskeyPart } from './passkey-part.tsx'
import { RecoveryCodesPart } from './recovery-codes-part.tsx'
import { RecoveryCodesSheet } from './recovery-codes-sheet.tsx'
import { WithdrawalsPart } from './withdrawals-part.tsx'
import { useFactors } from './security-queries.ts'

/** How the user signs in besides the password, and what withdrawals and the like ask for. */
export function SecurityScreen() {
  const factors = useFactors()
  return (
    <>
      <PageHeader screen="security" backTo="/profile" />
      <p className="px-5 text-16 text-ink2">
        {t(
          'A second factor keeps your money safe even from somebody who knows your password. Signing in, withdrawing, new bank accounts and changes of this page ask for it.',
        )}
      </p>
      {factors.isError && (
        <div className="px-5 pt-6">
          <LoadProblem
            message={t('Unable to load your second factors')}
            onRetry={() => void factors.refetch()}
          />
        </div>
      )}
      {factors.isPending && (
        <div className="px-5 pt-8">
          <Skeleton className="h-96 w-full" />
        </div>
      )}
      {factors.data && !factors.isError && <Parts factors={factors.data} />}
      <ProofOutlet />
    </>
  )
}

/** Codes that were just made are shown at once: the server keeps none that could be shown later. */
function Parts({ factors }: { factors: Factors }) {
  const [codes, setCodes] = useState<readonly string[]>([])
  const [isShown, setIsShown] = useState(false)
  const show = (made: readonly string[]) => {
    if (made.length === 0) return
    setCodes(made)
    setIsShown(true)
  }
  return (
    <>
      <PasskeyPart passkeys={factors.passkeys} onCodes={show} />
      <AuthenticatorPart since={factors.authenticatorSince} onCodes={show} />
      <RecoveryCodesPart factors={factors} onCodes={show} />
      <WithdrawalsPart />
      <RecoveryCodesSheet codes={codes} open={isShown} onClose={() => setIsShown(false)} />
    </>
  )
}
