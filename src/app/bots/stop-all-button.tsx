import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { useStopAll } from '#app/api/actions.ts'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Money } from '#app/ui/money/money.tsx'
import { OFFLINE_REASON } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { showToast } from '#app/ui/overlays/toast.ts'

/** Closes all bots at the market price. */
export function StopAllButton({ bots }: { bots: readonly Bot[] }) {
  const stopAll = useStopAll()
  const online = useOnline()
  const [asking, setAsking] = useState(false)
  const stop = () => {
    setAsking(false)
    stopAll.mutate(undefined, {
      onSuccess: () =>
        showToast({ title: 'All bots are closing', description: 'Their coins are sold at market price and the cash returns to you.' }),
      onError: (error) => showFailure(error, 'stopAll'),
    })
  }
  return (
    <>
      <Button
        look="quiet-danger"
        className="-ml-2"
        disabled={!online}
        aria-describedby={online ? undefined : OFFLINE_REASON}
        pending={stopAll.isPending}
        pendingLabel="Stopping..."
        onClick={() => setAsking(true)}
      >
        Stop all bots
      </Button>
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={stop}
        question="Stop all bots?"
        confirmLabel="Stop all"
        cancelLabel="Keep going"
      >
        Each bot sells its coins at market price. <Returned bots={bots} /> Losses become final.
      </ConfirmDialog>
    </>
  )
}

/** Each bot has its own fee; a bot's loss lowers no other bot's. Bots that are closing already are left out. */
function Returned({ bots }: { bots: readonly Bot[] }) {
  const fee = sumOf(...bots.filter(({ status }) => status !== 'closing').map(({ closingFee }) => closingFee))
  if (fee === '0.00') return 'The cash returns to your balance.'
  return (
    <>
      You pay our fee of about <Money amount={fee} className="font-semibold text-ink" /> and the rest returns to your balance.
    </>
  )
}
