import { useState } from 'react'
import type { BacktestResult } from '#contract/backtest.ts'
import type { Bot } from '#contract/bots.ts'
import { msg, t } from '#words/words.ts'
import { useSimulateBot } from './bot-queries.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { useReplayTime } from '#app/market/market-time.ts'
import { Skeleton } from '#app/ui/frame/section.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { BacktestSummary } from './backtest-summary.tsx'
import { TradeLine } from './trade-line.tsx'

/** Shown beside 'Simulate trade', so that users do not mistake it for a real trade. */
export const SIMULATION_NOTE = msg('Replays the past 30 days. No money moves.')

/**
 * Replays the bot's rules over the last 30 days. The sheet opens at once, and closes if there is no
 * result.
 */
export function useSimulation(bot: Bot) {
  const simulate = useSimulateBot()
  const [open, setOpen] = useState(false)
  const run = () => {
    setOpen(true)
    simulate.mutate(bot.id, {
      onSuccess: ({ title, message }) => showToast({ title, description: message }),
      onError: (error) => {
        setOpen(false)
        showFailure(error, 'simulateBot')
      },
    })
  }
  return { bot, open, run, close: () => setOpen(false), result: simulate.data }
}

export function SimulationSheet({ bot, open, close, result }: ReturnType<typeof useSimulation>) {
  return (
    <Sheet
      loads
      open={open}
      onClose={close}
      title={t('The last 30 days, replayed')}
      description={
        result ? `${bot.name}: ${result.message}` : t('{bot}. No money moves.', { bot: bot.name })
      }
    >
      {result ? (
        <>
          <BacktestSummary result={result} />
          <BacktestTrades trades={result.trades} total={result.tradeCount} to={result.to} />
        </>
      ) : (
        <div aria-busy="true">
          <p role="status" className="sr-only">
            {t('Simulating…')}
          </p>
          <Skeleton className="h-130 w-full" />
        </div>
      )}
    </Sheet>
  )
}

function BacktestTrades({
  trades,
  total,
  to,
}: {
  trades: BacktestResult['trades']
  total: number
  to: string
}) {
  const time = useReplayTime(to)
  if (trades.length === 0)
    return <p className="mt-6 text-16 text-ink2">{t("No trade met this bot's rules.")}</p>
  return (
    <section aria-label={t('Simulated trades')} className="mt-6">
      <h3 className="text-17 font-semibold">
        {total > trades.length
          ? t('The latest {count} of {total} trades', { count: trades.length, total })
          : t('Trades')}
      </h3>
      <p className="text-14 text-ink2">{t('The profit of each sale is shown before our fee.')}</p>
      <ul className="divide-y divide-hairline">
        {trades.map((trade, place) => (
          <TradeLine
            key={`${place}${trade.marketTime}${trade.tradingPair}`}
            trade={trade}
            time={time}
          />
        ))}
      </ul>
    </section>
  )
}
