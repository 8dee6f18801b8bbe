import { useState } from 'react'
import { useStopAll } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { showFailure } from '../ui/failure-toast.ts'
import { OFFLINE_REASON } from '../ui/offline-reason.tsx'
import { useOnline } from '../ui/online.ts'
import { showToast } from '../ui/toast.ts'

/** Every bot to cash, at the market, now. */
export function StopAllButton() {
  const stopAll = useStopAll()
  const online = useOnline()
  const [asking, setAsking] = useState(false)
  const stop = () => {
    setAsking(false)
    stopAll.mutate(undefined, {
      onSuccess: () =>
        showToast({ title: 'All bots are closing', description: 'Their coins are sold at the market and the money returns to you.' }),
      onError: (error) => showFailure(error, { title: 'Failed to Stop Bots', description: 'Failed to stop your trading bots.' }),
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
        Each bot sells what it holds at the market, pays what is due and returns the rest to your balance. A loss becomes final.
      </ConfirmDialog>
    </>
  )
}
