import { useState } from 'react'
import type { Withdrawal } from '#contract/withdrawals.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { OFFLINE_REASON, OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useCancelWithdrawal, useWithdrawals } from './withdrawal-queries.ts'

/** Withdrawals that are on their way; some can still be canceled. */
export function OpenRequests() {
  const withdrawals = useWithdrawals()
  if (withdrawals.isError) return <LoadProblem message="Unable to load your requests" onRetry={() => void withdrawals.refetch()} />
  const open = (withdrawals.data ?? []).filter(({ status }) => status === 'pending' || status === 'processing')
  if (open.length === 0) return null
  return (
    <section aria-labelledby="open-requests" className="pt-8">
      <h2 id="open-requests" className="text-20 font-semibold">
        Open requests
      </h2>
      <OfflineReason id={OFFLINE_REASON} />
      <ul className="divide-y divide-hairline">
        {open.map((withdrawal) => (
          <OpenRequest key={withdrawal.id} withdrawal={withdrawal} />
        ))}
      </ul>
    </section>
  )
}

function OpenRequest({ withdrawal }: { withdrawal: Withdrawal }) {
  const cancel = useCancelWithdrawal()
  const online = useOnline()
  const { dayText } = useDates()
  const [asking, setAsking] = useState(false)
  const confirm = () => {
    setAsking(false)
    cancel.mutate(withdrawal.id, {
      onSuccess: () => showToast({ title: 'Withdrawal canceled', description: 'The money is back in your available balance.' }),
      onError: (error) => showFailure(error, 'cancelWithdrawal'),
    })
  }
  return (
    <li className="flex items-center justify-between gap-3 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Money amount={withdrawal.amount} className="text-17 font-semibold" />
          <StatusBadge status={withdrawal.status} />
        </p>
        <p className="text-14 text-ink2">
          {dayText(withdrawal.createdAt)} to {withdrawal.bankName} •••• {withdrawal.accountNumber}
        </p>
      </div>
      {withdrawal.cancelable && (
        <Button
          look="quiet"
          className="-mr-2"
          disabled={!online}
          aria-describedby={online ? undefined : OFFLINE_REASON}
          pending={cancel.isPending}
          pendingLabel="Canceling..."
          onClick={() => setAsking(true)}
        >
          Cancel
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={confirm}
        question="Cancel this withdrawal?"
        confirmLabel="Cancel it"
        cancelLabel="Keep it"
      >
        <Money amount={withdrawal.amount} className="font-semibold text-ink" /> returns to your available balance at once.
      </ConfirmDialog>
    </li>
  )
}
