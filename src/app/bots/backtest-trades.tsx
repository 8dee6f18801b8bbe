import type { BacktestResult } from '#contract/bots.ts'
import { TradeLine } from './trade-line.tsx'

export function BacktestTrades({ trades, total }: { trades: BacktestResult['trades']; total: number }) {
  if (trades.length === 0) return <p className="mt-6 text-16 text-ink2">No trade met this bot's rules.</p>
  return (
    <section aria-label="Simulated trades" className="mt-6">
      <h3 className="text-17 font-semibold">{total > trades.length ? `The latest ${trades.length} of ${total} trades` : 'Trades'}</h3>
      <p className="text-14 text-ink2">No trade pays our fee: the profit of a sale is before it.</p>
      <ul className="divide-y divide-hairline">
        {trades.map((trade, place) => (
          <TradeLine key={`${place}${trade.marketTime}${trade.tradingPair}`} trade={trade} />
        ))}
      </ul>
    </section>
  )
}
