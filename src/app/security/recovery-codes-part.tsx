import { useState } from 'react'
import type { Factors } from '#contract/factors.ts'
import { RECOVERY_CODES } from '#core/auth/recovery-code.ts'
import { t, tCount } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { showSecurityFailure } from './security-toasts.ts'
import { useRenewRecoveryCodes } from './security-queries.ts'

type Props = { factors: Factors; onCodes: (codes: readonly string[]) => void }

export function RecoveryCodesPart({
  factors: { passkeys, authenticatorSince, recoveryCodesLeft: left },
  onCodes,
}: Props) {
  const hasFactor = passkeys.length > 0 || authenticatorSince !== null
  return (
    <Section title={t('Recovery codes')}>
      <p className="pb-3 text-16 text-ink2">
        {t('If you lose your device, a recovery code takes its place. Each counts once.')}
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
  const [asking, setAsking] = useState(false)
  const renew = useRenewRecoveryCodes()
  const confirm = () => {
    setAsking(false)
    renew.mutate(undefined, {
      onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
      onError: (error) => showSecurityFailure(error, t('No new codes')),
    })
  }
  return (
    <>
      <Button
        look="quiet"
        className="-ml-2"
        pending={renew.isPending}
        onClick={() => setAsking(true)}
      >
        {t('Make new codes')}
      </Button>
      <ConfirmDialog
        tone="accent"
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={confirm}
        question={t('Make new recovery codes?')}
        confirmLabel={t('Make new codes')}
      >
        {t('The present ones no longer count.')}
      </ConfirmDialog>
    </>
  )
}
