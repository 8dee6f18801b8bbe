import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { t } from '#words/words.ts'
import { useStopAll } from '#app/api/actions.ts'
import { useConfig } from '#app/api/queries.ts'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Money } from '#app/ui/money/money.tsx'
import { OFFLINE_REASON } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { forecastClosing } from './take-out-forecast.ts'

/** Closes all bots at the market price. */
export function StopAllButton({ bots }: { bots: readonly Bot[] }) {
  const stopAll = useStopAll()
  const online = useOnline()
  const [asking, setAsking] = useState(false)
  const stop = () => {
    setAsking(false)
    stopAll.mutate(undefined, {
      onSuccess: () =>
        showToast({
          title: t('All bots are closing'),
          description: t('Their coins are sold at market price and the cash returns to you.'),
        }),
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
        pendingLabel={t('Stopping...')}
        onClick={() => setAsking(true)}
      >
        {t('Stop all bots')}
      </Button>
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={stop}
        question={t('Stop all bots?')}
        confirmLabel={t('Stop all')}
        cancelLabel={t('Keep going')}
      >
        {t('Each bot sells its coins at market price.')} <Returned bots={bots} />{' '}
        {t('Losses become final.')}
      </ConfirmDialog>
    </>
  )
}

/**
 * Each bot has its own fee; a bot's loss lowers no other bot's. Bots that are closing already are
 * left out.
 */
function Returned({ bots }: { bots: readonly Bot[] }) {
  const costBps = useConfig().data?.tradingCostBps ?? 0
  const forecasts = bots
    .filter(({ status }) => status !== 'closing')
    .map((bot) => forecastClosing(bot, costBps))
  const [fee, cost, rest] = (['fee', 'cost', 'returned'] as const).map((name) =>
    sumOf(...forecasts.map((one) => one[name])),
  )
  const values = {
    fee: <Shown amount={fee} />,
    cost: <Shown amount={cost} />,
    rest: <Shown amount={rest} />,
  }
  return (
    <Trans
      message="Selling costs about {cost}, our fee is about {fee}, and about {rest} returns to your balance."
      {...values}
    />
  )
}

function Shown({ amount = '0.00' }: { amount: string | undefined }) {
  return <Money amount={amount} className="font-semibold text-ink" />
}
