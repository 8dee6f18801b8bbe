import { countBefore, priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { valueFloor } from '#core/money/rounding.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'

/** Something that changed what is owned: units of USD, and of a pair's base asset, at a market time. */
export type Flow = { timeMs: number; cash: Units; pair?: Pair; base?: Units }

export type ValueCurveInput = {
  /** In the order of time. */
  flows: readonly Flow[]
  /** Closed candles of every pair that flows name. */
  seriesOf: (pair: Pair) => CandleSeries
  /** The moments to value at, rising. */
  timesMs: readonly number[]
}

/** What was owned at each moment, valued at the last close before it: the curve of a bot, or of everything a user has. */
export function valueCurve({ flows, seriesOf, timesMs }: ValueCurveInput): EquityPoint[] {
  const held = new Map<Pair, Units>()
  let cash = 0n
  let next = 0
  return timesMs.map((timeMs) => {
    for (let flow = flows[next]; flow && flow.timeMs <= timeMs; flow = flows[next]) {
      cash += flow.cash
      if (flow.pair) held.set(flow.pair, (held.get(flow.pair) ?? 0n) + (flow.base ?? 0n))
      next += 1
    }
    let equity = cash
    for (const [pair, quantity] of held) if (quantity > 0n) equity += valueFloor({ quantity, price: lastClose(seriesOf(pair), timeMs) })
    return { timeMs, equity }
  })
}

/** The close of the last candle that closed by `timeMs`; candles are an hour long, so it opened an hour before at the latest. */
function lastClose(series: CandleSeries, timeMs: number): Units {
  const closed = countBefore(series, timeMs - 3_600_000 + 1)
  return closed > 0 ? priceAt(series.close, closed - 1) : 0n
}

/** At most `points` whole steps from `fromMs` to `toMs`, both ends included. */
export function timeGrid({ fromMs, toMs, points }: { fromMs: number; toMs: number; points: number }): number[] {
  if (toMs <= fromMs) return [toMs]
  const steps = Math.max(1, points - 1)
  return Array.from({ length: steps + 1 }, (_, step) => Math.round(fromMs + ((toMs - fromMs) * step) / steps))
}
