import { useState } from 'react'
import type { Withdrawal } from '#contract/withdrawals.ts'
import { t } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import type { ButtonLook } from '#app/ui/buttons/button.tsx'
import { OfflineButton } from '#app/ui/buttons/offline-button.tsx'
import { OFFLINE_REASON, OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { focusAround } from '#app/ui/overlays/focus-around.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { useCancelWithdrawal, useWithdrawals } from './withdrawal-queries.ts'

/** A button that cancels a withdrawal. Callers must show an `OfflineReason` beside it. */
export function CancelButton({
  withdrawal: { id, amount },
  look,
  className = '',
  children,
}: {
  withdrawal: Withdrawal
  look: ButtonLook
  className?: string
  children: string
}) {
  const cancel = useCancelWithdrawal()
  const [asking, setAsking] = useState(false)
  const confirm = async () => {
    setAsking(false)
    // Awaited, because the button disappears as soon as the list shows the withdrawal as canceled;
    // React Query then drops the callbacks of `mutate`.
    try {
      await cancel.mutateAsync(id)
      focusAround()
      showToast({
        title: t('Withdrawal canceled'),
        description: t('The money is back in your available balance.'),
      })
    } catch (error) {
      showFailure(error, 'cancelWithdrawal')
    }
  }
  return (
    <>
      <OfflineButton
        look={look}
        className={className}
        pending={cancel.isPending}
        pendingLabel={t('Canceling…')}
        onClick={() => setAsking(true)}
      >
        {children}
      </OfflineButton>
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={() => void confirm()}
        question={t('Cancel this withdrawal?')}
        confirmLabel={t('Cancel it')}
        cancelLabel={t('Keep it')}
      >
        <Trans
          message="{amount} returns to your available balance right away."
          amount={<Money amount={amount} className="font-semibold text-ink" />}
        />
      </ConfirmDialog>
    </>
  )
}

/** Shown below the receipt of a withdrawal while it can be canceled. */
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
