import { t } from '#words/words.ts'
import { OfflineReason, OFFLINE_REASON } from '#app/ui/buttons/offline-reason.tsx'
import { CancelButton } from './cancel-button.tsx'
import { useWithdrawals } from './withdrawal-queries.ts'

/** Below the receipt of a withdrawal: Cancel, as long as that is possible. */
export function WithdrawalOfReceipt({ id }: { id: string }) {
  const withdrawal = useWithdrawals().data?.find((one) => one.id === id)
  if (!withdrawal?.cancelable) return null
  return (
    <div className="mt-5 flex flex-col gap-3">
      <p className="text-14 text-ink2">
        {t('Until it is sent, the money is held in your account and you can cancel.')}
      </p>
      <OfflineReason id={OFFLINE_REASON} />
      <CancelButton withdrawal={withdrawal} look="danger">
        {t('Cancel withdrawal')}
      </CancelButton>
    </div>
  )
}
