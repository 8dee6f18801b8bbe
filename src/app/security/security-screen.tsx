import { useState } from 'react'
import type { Factors } from '#contract/factors.ts'
import { RECOVERY_CODES } from '#core/auth/recovery-code.ts'
import { t, tCount } from '#words/words.ts'
import { ProofOutlet } from '#app/proofs/proof-outlet.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { LoadProblem, Section, Skeleton } from '#app/ui/frame/section.tsx'
import { ConfirmedButton } from '#app/ui/overlays/confirmed-button.tsx'
import { AuthenticatorPart } from './authenticator-part.tsx'
import { KeysPart } from './keys-part.tsx'
import { PasskeyPart } from './passkey-part.tsx'
import { RecoveryCodesSheet } from './recovery-codes-sheet.tsx'
import { showSecurityFailure, useFactors, useRenewRecoveryCodes } from './security-queries.ts'
import { WithdrawalsPart } from './withdrawals-part.tsx'

export function SecurityScreen() {
  const factors = useFactors()
  return (
    <>
      <PageHeader screen="security" backTo="/profile" />
      <p className="px-5 text-16 text-ink2">
        {t(
          'A second factor keeps your money safe even from somebody who knows your ' +
            'password. You need it to sign in, withdraw, add a bank account or change ' +
            'these settings.',
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

/** New recovery codes are shown at once, because the server stores only their hashes. */
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
      <KeysPart />
      <RecoveryCodesSheet codes={codes} open={isShown} onClose={() => setIsShown(false)} />
    </>
  )
}

type Props = { factors: Factors; onCodes: (codes: readonly string[]) => void }

function RecoveryCodesPart({
  factors: { passkeys, authenticatorSince, recoveryCodesLeft: left },
  onCodes,
}: Props) {
  const hasFactor = passkeys.length > 0 || authenticatorSince !== null
  return (
    <Section title={t('Recovery codes')}>
      <p className="pb-3 text-16 text-ink2">
        {t('If you lose your device, use a recovery code instead. Each code works once.')}
      </p>
      {hasFactor ? (
        <>
          <p className={`text-16 font-semibold ${left <= 3 ? 'text-warn' : ''}`}>
            {tCount(left, { one: '1 code is left', other: '{count} codes are left' })}
          </p>
          <RenewButton onCodes={onCodes} />
        </>
      ) : (
        <p className="text-14 text-ink2">
          {t('You get {count} codes with your first passkey or authenticator app.', {
            count: RECOVERY_CODES,
          })}
        </p>
      )}
    </Section>
  )
}

function RenewButton({ onCodes }: Pick<Props, 'onCodes'>) {
  const renew = useRenewRecoveryCodes()
  const confirmed = () =>
    renew.mutate(undefined, {
      onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
      onError: (error) => showSecurityFailure(error, t('No new codes')),
    })
  return (
    <ConfirmedButton
      look="quiet"
      className="-ml-2"
      pending={renew.isPending}
      tone="accent"
      question={t('Make new recovery codes?')}
      why={t('The current codes will no longer work.')}
      confirmLabel={t('Make new codes')}
      onConfirm={confirmed}
    >
      {t('Make new codes')}
    </ConfirmedButton>
  )
}
