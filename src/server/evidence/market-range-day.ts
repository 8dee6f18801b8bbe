import { marketDay, type MarketModel } from '#core/forecast/market-day.ts'
import type { ForecastMarket } from '#core/forecast/rows.ts'
import { candlesBetween } from '#server/market/candle-cache.ts'
import type { Computations } from '#server/ports/compute.ts'
import { shippedMarkets, shippedWalk } from './range-model-files.ts'
import { hashOf } from './show-evidence.ts'

type RangeDayWork = Computations['rangeDay']

/** Runs in a thread. Models are trained on the shipped candles too. */
export function marketRangeDay({
  timeMs,
  days,
  markets: own,
}: RangeDayWork['input']): RangeDayWork['result'] {
  const { model, ...day } = marketDay({ timeMs, days, recorded: shippedWalk, own })
  if (!model) return day
  const candles = hashOfTeachers(model, { recorded: shippedMarkets(), own })
  return { ...day, model: { ...model, candles } }
}

export function hashOfTeachers(
  { learnedFrom, trainedUntilMs: toMs }: Pick<MarketModel, 'learnedFrom' | 'trainedUntilMs'>,
  { recorded, own }: { recorded: readonly ForecastMarket[]; own: readonly ForecastMarket[] },
): string {
  const mine = own
    .filter(({ pair }) => learnedFrom.includes(pair))
    .map(({ pair, series }) => ({ pair, series: candlesBetween(series, { fromMs: 0, toMs }) }))
  return hashOf([...recorded, ...mine])
}
