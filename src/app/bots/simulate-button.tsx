import { useState } from 'react'
import type { Bot } from '#contract/bots.ts'
import { useSimulateBot } from '#app/api/queries.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { OFFLINE_REASON } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { BacktestSummary } from './backtest-summary.tsx'
import { BacktestTrades } from './backtest-trades.tsx'

/** Replays the bot's own rules over the last 30 days. No money moves. */
export function SimulateButton({ bot }: { bot: Bot }) {
  const simulate = useSimulateBot()
  const online = useOnline()
  const [open, setOpen] = useState(false)
  const run = () =>
    simulate.mutate(bot.id, {
      onSuccess: ({ title, message }) => {
        showToast({ title, description: message })
        setOpen(true)
      },
      onError: (error) => showFailure(error, { title: 'Trading Error', description: 'Failed to execute trade. Please try again.' }),
    })
  return (
    <>
      <Button
        look="quiet"
        className="-ml-2"
        aria-label={`Simulate trade with ${bot.name}`}
        disabled={!online}
        aria-describedby={online ? undefined : OFFLINE_REASON}
        pending={simulate.isPending}
        pendingLabel="Simulating..."
        onClick={run}
      >
        Simulate trade
      </Button>
      {simulate.data && (
        <Sheet
          open={open}
          onClose={() => setOpen(false)}
          title="The last 30 days, replayed"
          description={`${bot.name}: ${simulate.data.message}`}
        >
          <BacktestSummary result={simulate.data} />
          <BacktestTrades trades={simulate.data.trades} total={simulate.data.tradeCount} />
        </Sheet>
      )}
    </>
  )
}
