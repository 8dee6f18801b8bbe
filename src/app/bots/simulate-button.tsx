import { useState } from 'react'
import type { BacktestResult, Bot } from '#contract/bots.ts'
import { useSimulateBot } from '#app/api/queries.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { OFFLINE_REASON } from '#app/ui/buttons/offline-reason.tsx'
import { useReplayTime } from '#app/market/market-time.ts'
import { useOnline } from '#app/ui/device/use-online.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { BacktestSummary } from './backtest-summary.tsx'
import { TradeLine } from './trade-line.tsx'

/** Replays the bot's rules over the last 30 days. No money moves. */
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
          <BacktestTrades trades={simulate.data.trades} total={simulate.data.tradeCount} to={simulate.data.to} />
        </Sheet>
      )}
    </>
  )
}

function BacktestTrades({ trades, total, to }: { trades: BacktestResult['trades']; total: number; to: string }) {
  const time = useReplayTime(to)
  if (trades.length === 0) return <p className="mt-6 text-16 text-ink2">No trade met this bot's rules.</p>
  return (
    <section aria-label="Simulated trades" className="mt-6">
      <h3 className="text-17 font-semibold">{total > trades.length ? `The latest ${trades.length} of ${total} trades` : 'Trades'}</h3>
      <p className="text-14 text-ink2">No trade pays our fee: the profit of a sale is before it.</p>
      <ul className="divide-y divide-hairline">
        {trades.map((trade, place) => (
          <TradeLine key={`${place}${trade.marketTime}${trade.tradingPair}`} trade={trade} time={time} />
        ))}
      </ul>
    </section>
  )
}
