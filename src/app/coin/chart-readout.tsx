import { msg, say } from '#words/words.ts'
import type { Range } from '#app/api/queries.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { Change } from '#app/ui/money/change.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { summaryOf, tradesSentence, type Candles, type TradesInCandle } from './chart-data.ts'
import { PRICE_NAMES } from './price-names.ts'

const RANGE_TEXT: Record<Range, string> = {
  '1D': msg('Past day'),
  '1W': msg('Past week'),
  '1M': msg('Past month'),
  '1Y': msg('Past year'),
  All: msg('All of it'),
}

/**
 * The chosen candle's prices or, without one, the whole range's; always two lines tall, so that the
 * chart keeps its place.
 */
export function ChartReadout({
  range,
  candles,
  chosen,
  trades,
}: {
  range: Range
  candles: Candles
  chosen: Candles[number] | undefined
  trades: TradesInCandle | undefined
}) {
  const { momentText } = useMarketTime()
  const summary = summaryOf(chosen ? [chosen] : candles)
  if (!summary) return null
  const prices = [
    { name: PRICE_NAMES.open, price: chosen?.open },
    { name: PRICE_NAMES.low, price: summary.lowest },
    { name: PRICE_NAMES.high, price: summary.highest },
    { name: PRICE_NAMES.close, price: chosen?.close },
  ]
  return (
    <div className="min-h-14 px-5 text-14 text-ink2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span>{chosen ? momentText(chosen.at) : say(RANGE_TEXT[range])}</span>
        <Change percent={summary.change} className="font-medium" />
        <span>{tradesSentence(trades)}</span>
      </p>
      <dl className="flex flex-wrap gap-x-3">
        {prices.map(({ name, price }) =>
          price === undefined ? null : (
            <div key={name} className="flex gap-1">
              <dt className="capitalize">{say(name)}</dt>
              <dd className="text-ink">
                <Money amount={price} precision="price" />
              </dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}
