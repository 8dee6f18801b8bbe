import { HOUR_MS } from '#core/market/candle.ts'
import { countBefore, priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { withoutDust } from '#core/money/cents.ts'
import { valueFloor } from '#core/money/rounding.ts'
import { worthOf } from '#core/pool/pool.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'
import { closingFee } from '#core/trading/performance-fee.ts'

/** `invested`: the part of the cash that is investment, not profit. */
export type Flow = {
  timeMs: number
  cash: Units
  invested?: Units
  pool?: number
  base?: Units
  units?: bigint
}

type PoolMark = { timeMs: number; cash: Units; base: Units; units: bigint }

/** In order of time. */
export type PoolPast = { pair: Pair; marks: readonly PoolMark[] }

/** Flows of one bot, or of the cash, in order of time. `feeBps`: the platform fee. */
export type FlowsOfOwner = { flows: readonly Flow[]; feeBps: number }

type ValueCurveInput = {
  /** Each owner's closing fee is computed separately. */
  owners: readonly FlowsOfOwner[]
  /**
   * All pools in the flows. Marks are needed only at trades, interest and the owners' own joins and
   * leaves: joins and leaves of others change cash and coins per unit only by dust.
   */
  pools: ReadonlyMap<number, PoolPast>
  seriesOf: (pair: Pair) => CandleSeries
  /** Ascending. */
  timesMs: readonly number[]
  /** Rounds each owner's equity as it is shown, so that the total equals the sum of the list. */
  rounded?: (equity: Units) => Units
}

/** Proceeds of closing at each time, at the last close. */
export function valueCurve({
  owners,
  pools,
  seriesOf,
  timesMs,
  rounded = (equity) => equity,
}: ValueCurveInput): EquityPoint[] {
  const valuations = owners.map(valuationOf)
  const reads = new Map([...pools].map(([id, past]) => [id, readerOf(past, seriesOf(past.pair))]))
  return timesMs.map((timeMs) => {
    const market = new Map([...reads].map(([id, read]) => [id, read(timeMs)]))
    const equity = valuations.reduce(
      (sum, valuation) => sum + rounded(valuation(timeMs, market)),
      0n,
    )
    return { timeMs, equity }
  })
}

/** Each owner's proceeds of closing at one time. */
export function worthsAt({
  owners,
  pools,
  seriesOf,
  timeMs,
}: Omit<ValueCurveInput, 'timesMs' | 'rounded'> & { timeMs: number }): Units[] {
  const market = new Map(
    [...pools].map(([id, past]) => [id, readerOf(past, seriesOf(past.pair))(timeMs)]),
  )
  return owners.map((owner) => valuationOf(owner)(timeMs, market))
}

type Moment = { mark: PoolMark | undefined; price: Units }

/** Callers must pass ascending times. */
function readerOf({ marks }: PoolPast, series: CandleSeries): (timeMs: number) => Moment {
  let passed = 0
  return (timeMs) => {
    for (let next = marks[passed]; next && next.timeMs <= timeMs; next = marks[passed]) passed += 1
    return { mark: marks[passed - 1], price: lastClose(series, timeMs) }
  }
}

type Valuation = (timeMs: number, market: ReadonlyMap<number, Moment>) => Units
type Held = { base: Units; units: bigint }

/** Callers must pass ascending times. */
function valuationOf({ flows, feeBps }: FlowsOfOwner): Valuation {
  const held = new Map<number, Held>()
  let cash = 0n
  let invested = 0n
  let passed = 0
  return (timeMs, market) => {
    for (let flow = flows[passed]; flow && flow.timeMs <= timeMs; flow = flows[passed]) {
      cash += flow.cash
      invested += flow.invested ?? 0n
      if (flow.pool !== undefined) hold(held, flow.pool, flow)
      passed += 1
    }
    let worth = cash
    for (const [pool, holding] of held) worth += worthAt(market.get(pool), holding)
    const out = withoutDust(worth)
    return out - closingFee({ invested, out, feeBps }).fee
  }
}

function hold(held: Map<number, Held>, pool: number, { base = 0n, units = 0n }: Flow): void {
  const before = held.get(pool) ?? { base: 0n, units: 0n }
  const after = { base: before.base + base, units: before.units + units }
  if (after.base === 0n && after.units === 0n) held.delete(pool)
  else held.set(pool, after)
}

function worthAt(moment: Moment | undefined, { base, units }: Held): Units {
  if (!moment) return 0n
  const { mark, price } = moment
  const own = base > 0n ? valueFloor({ quantity: base, price }) : 0n
  return mark && mark.units > 0n ? own + worthOf({ ...mark, appliedBps: 0 }, { units, price }) : own
}

/** The last close by `timeMs`; 0 before the first. */
export function lastClose(series: CandleSeries, timeMs: number): Units {
  const closed = countBefore(series, timeMs - HOUR_MS + 1)
  return closed > 0 ? priceAt(series.close, closed - 1) : 0n
}

/**
 * Both ends and whole hours between them, evenly spaced; at most `points` (at least 3) times. Only
 * `toMs` for an empty range. Other times would add nothing, because curves are valued at hourly
 * closes.
 */
export function timeGrid({
  fromMs,
  toMs,
  points,
}: {
  fromMs: number
  toMs: number
  points: number
}): number[] {
  if (toMs <= fromMs) return [toMs]
  const stepMs = Math.ceil((toMs - fromMs) / HOUR_MS / (points - 2)) * HOUR_MS
  const firstMs = (Math.floor(fromMs / stepMs) + 1) * stepMs
  const count = Math.max(0, Math.ceil((toMs - firstMs) / stepMs))
  return [fromMs, ...Array.from({ length: count }, (_, step) => firstMs + step * stepMs), toMs]
}
