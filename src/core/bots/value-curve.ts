import { HOUR_MS } from '#core/market/candle.ts'
import { countBefore, priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { valueFloor } from '#core/money/rounding.ts'
import { worthOf } from '#core/pool/pool.ts'
import type { EquityPoint } from '#core/strategy/metrics.ts'
import { closingFee } from '#core/trading/fee.ts'

/** Something that changed what is owned, at a market time: money and how much of it counts as invested, own coins and units of a pool. */
export type Flow = { timeMs: number; cash: Units; invested?: Units; pool?: number; base?: Units; units?: bigint }

/** What a pool held when a change was done. */
export type PoolMark = { timeMs: number; cash: Units; base: Units; units: bigint }

/** A pool's marks in their own order. */
export type PoolPast = { pair: Pair; marks: readonly PoolMark[] }

export type ValueCurveInput = {
  /** Each a bot, or the cash: its flows in the order of time. The fee at closing is each one's own. */
  owners: readonly (readonly Flow[])[]
  /** Every pool that flows name. Marks of trades and of the owners' own joins and leaves are enough: those of others move cash and coins for each unit by dust. */
  pools: ReadonlyMap<number, PoolPast>
  /** Closed candles of every pair of these pools. */
  seriesOf: (pair: Pair) => CandleSeries
  /** The moments to value at, rising. */
  timesMs: readonly number[]
  feeBps: number
}

/** What closing would have returned at each moment, at the last close before it: the curve of a bot, or of everything a user has. */
export function valueCurve({ owners, pools, seriesOf, timesMs, feeBps }: ValueCurveInput): EquityPoint[] {
  const accounts = owners.map(openAccount)
  const reads = new Map([...pools].map(([id, past]) => [id, readerOf(past, seriesOf(past.pair))]))
  return timesMs.map((timeMs) => {
    const market = new Map([...reads].map(([id, read]) => [id, read(timeMs)]))
    const equity = accounts.reduce((sum, account) => sum + account(timeMs, market, feeBps), 0n)
    return { timeMs, equity }
  })
}

/** A pool at a moment. */
type Moment = { mark: PoolMark | undefined; price: Units }

/** Reads a pool at rising moments. */
function readerOf({ marks }: PoolPast, series: CandleSeries): (timeMs: number) => Moment {
  let passed = 0
  return (timeMs) => {
    for (let next = marks[passed]; next && next.timeMs <= timeMs; next = marks[passed]) passed += 1
    return { mark: marks[passed - 1], price: lastClose(series, timeMs) }
  }
}

type Account = (timeMs: number, market: ReadonlyMap<number, Moment>, feeBps: number) => Units
type Held = { base: Units; units: bigint }

/** Values one owner at rising moments. */
function openAccount(flows: readonly Flow[]): Account {
  const held = new Map<number, Held>()
  let cash = 0n
  let invested = 0n
  let passed = 0
  return (timeMs, market, feeBps) => {
    for (let flow = flows[passed]; flow && flow.timeMs <= timeMs; flow = flows[passed]) {
      cash += flow.cash
      invested += flow.invested ?? 0n
      if (flow.pool !== undefined) hold(held, flow.pool, flow)
      passed += 1
    }
    let worth = cash
    for (const [pool, holding] of held) worth += worthAt(market.get(pool), holding)
    return worth - closingFee({ invested, out: worth, feeBps }).fee
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

/** The close of the last candle that closed by `timeMs`, 0 before the first; candles are an hour long, so it opened an hour before at the latest. */
export function lastClose(series: CandleSeries, timeMs: number): Units {
  const closed = countBefore(series, timeMs - HOUR_MS + 1)
  return closed > 0 ? priceAt(series.close, closed - 1) : 0n
}

/** At most `points` whole steps from `fromMs` to `toMs`, both ends included. */
export function timeGrid({ fromMs, toMs, points }: { fromMs: number; toMs: number; points: number }): number[] {
  if (toMs <= fromMs) return [toMs]
  const steps = Math.max(1, points - 1)
  return Array.from({ length: steps + 1 }, (_, step) => Math.round(fromMs + ((toMs - fromMs) * step) / steps))
}
