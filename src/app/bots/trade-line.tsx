import { memo } from 'react'
import type { BacktestResult } from '#contract/backtest.ts'
import { baseOf } from '#core/market/pair.ts'
import { t } from '#words/words.ts'
import { Change, Money } from '#app/ui/money/money.tsx'
import type { MarketTime } from '#app/market/market-time.ts'
import { pairText } from '#app/market/market-text.ts'
import { Trans } from '#app/ui/words/trans.tsx'

type Trade = BacktestResult['trades'][number]

/**
 * A trade with its reason and its cost. Memoized, so that changed prices do not render a list
 * again.
 */
export const TradeLine = memo(function TradeLine({
  trade,
  time: { momentText },
}: {
  trade: Trade
  time: MarketTime
}) {
  const pair = pairText(trade.tradingPair)
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-16 font-semibold">
          {trade.side === 'buy' ? t('Bought {pair}', { pair }) : t('Sold {pair}', { pair })}
        </span>
        <Money amount={trade.amount} className="text-16 font-semibold" />
      </div>
      <p className="text-16 text-pretty text-ink">{trade.reason}</p>
      <p className="flex flex-wrap items-baseline gap-x-3 text-14 text-ink2">
        <span>{momentText(trade.marketTime)}</span>
        <span>
          <Trans
            message="{quantity} at {price}"
            quantity={<Money amount={trade.quantity} asset={baseOf(trade.tradingPair)} />}
            price={<Money amount={trade.price} precision="price" />}
          />
        </span>
        <span>
          <Trans
            message="fee {amount}"
            amount={<Money amount={trade.venueFee} precision="fine" />}
          />
        </span>
        {trade.profit !== null && <Change amount={trade.profit} className="text-16" />}
      </p>
    </li>
  )
})
