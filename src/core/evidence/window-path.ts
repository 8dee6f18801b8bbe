import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { countBefore, priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import {
  openRun,
  serveSleeve,
  skipToTrade,
  type BacktestRun,
  type DecidedMarket,
  type Sleeve,
} from '#core/strategy/sleeve.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { closingFee } from '#core/trading/performance-fee.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { openPosition, type Position } from '#core/trading/position.ts'
import type { Window } from './universe.ts'

/** The last close at each whole hour from `fromMs` on, as signals; 0 before the first. */
export type PathCloses = { fromMs: number; closes: Float64Array }

export function closesByHour(
  { openTimesMs, closeSignal, length }: CandleSeries,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): PathCloses {
  const closes = new Float64Array((toMs - fromMs) / HOUR_MS + 1)
  let index = 0
  for (let hour = 0; hour < closes.length; hour += 1) {
    const timeMs = fromMs + hour * HOUR_MS
    while (index < length && (openTimesMs[index] ?? 0) < timeMs) index += 1
    closes[hour] = index > 0 ? (closeSignal[index - 1] ?? 0) : 0
  }
  return { fromMs, closes }
}

type Leg = { fromMs: number; position: Position }

/**
 * A bot in a window up to `atMs`. `worth`: hourly since `fromMs`, after the platform fee, without
 * interest.
 */
export type WindowPath = {
  fromMs: number
  /** Start time of the newest part. */
  partFromMs: number
  atMs: number
  worth: Float64Array
  run: BacktestRun
  legs: readonly Leg[][]
  closes: readonly PathCloses[]
  /** Set by `sellAt`: the cash of each pair, and the first midnight when everything is sold. */
  sold: readonly Position[]
  soldMs: number
}

export type WindowMoney = { invested: Units; costs: TradingCosts; feeBps: number }

export type FollowedWindow = WindowMoney & {
  markets: readonly DecidedMarket[]
  closes: readonly PathCloses[]
  window: Window
}

/** Starts with cash in equal parts, or with the proceeds of an earlier path. */
export function openPath(
  { markets, closes, window, invested, costs, feeBps }: FollowedWindow,
  fromMs: number,
  positions?: readonly Position[],
): WindowPath {
  const run = openRun({
    markets,
    invested,
    fromMs,
    toMs: window.toMs,
    costs,
    feeBps,
    yieldBps: 0,
    positions,
    keepsTrades: false,
  })
  const worth = new Float64Array(Math.max(0, window.toMs - fromMs) / HOUR_MS + 1)
  return {
    fromMs,
    partFromMs: fromMs,
    atMs: fromMs,
    worth,
    run,
    closes,
    legs: run.sleeves.map(({ position }) => [{ fromMs, position }]),
    sold: [],
    soldMs: window.toMs,
  }
}

export function pathUntil(path: WindowPath, toMs: number): WindowPath {
  path.partFromMs = path.atMs
  path.atMs = toMs
  for (const [which, sleeve] of path.run.sleeves.entries()) {
    const legs = path.legs[which] ?? []
    const first = legs.length - 1
    followSleeve(path.run, sleeve, { legs, toMs })
    addWorth(path, { legs: legs.slice(first), closes: path.closes[which] })
  }
  return path
}

/** Follows a sleeve through the candles that open before `toMs`. Visits only those with trades. */
function followSleeve(
  run: BacktestRun,
  sleeve: Sleeve,
  { legs, toMs }: { legs: Leg[]; toMs: number },
): void {
  sleeve.end = countBefore(sleeve.series, toMs)
  for (; sleeve.index < sleeve.end; skipToTrade(run, sleeve)) {
    const { position, index } = sleeve
    serveSleeve(run, sleeve)
    if (sleeve.position.base !== position.base)
      legs.push({ fromMs: sleeve.series.openTimesMs[index] ?? 0, position: sleeve.position })
  }
}

/** Adds hourly worths. A trade at a candle's open changes the worth from that candle's close on. */
function addWorth(
  { worth, fromMs, partFromMs, atMs }: WindowPath,
  { legs, closes }: { legs: readonly Leg[]; closes: PathCloses | undefined },
): void {
  if (!closes) return
  const shift = (fromMs - closes.fromMs) / HOUR_MS
  for (const [index, { fromMs: legMs, position }] of legs.entries()) {
    const from = Math.max(legMs, partFromMs) + HOUR_MS
    const to = Math.min(legs[index + 1]?.fromMs ?? atMs, atMs)
    const [cash, base] = [Number(position.cash), Number(position.base) / Number(ONE)]
    const last = (to - fromMs) / HOUR_MS
    for (let hour = (from - fromMs) / HOUR_MS; hour <= last; hour += 1)
      worth[hour] = (worth[hour] ?? 0) + cash + base * (closes.closes[hour + shift] ?? 0)
  }
}

/** Sells at the first opens from `timeMs` on: sets `sold` and `soldMs`, returns the total cash. */
export function sellAt(
  path: WindowPath,
  timeMs: number,
  { costs, window }: Pick<FollowedWindow, 'costs' | 'window'>,
): Units {
  let lastMs = timeMs
  path.sold = path.run.sleeves.map(({ series }, which) => {
    const position =
      path.legs[which]?.findLast((leg) => leg.fromMs < timeMs)?.position ?? openPosition(0n)
    const index = countBefore(series, timeMs)
    if (position.base > 0n) lastMs = Math.max(lastMs, series.openTimesMs[index] ?? window.toMs)
    return openPosition(
      position.cash + soldFor(position, { price: exitPrice(series, index), costs }),
    )
  })
  // The bot restarts at the next midnight. If its last sale is later than that, it restarts an hour
  // after the sale.
  const midnightMs = (Math.floor(timeMs / DAY_MS) + 1) * DAY_MS
  path.soldMs = lastMs < midnightMs ? midnightMs : lastMs + HOUR_MS
  return path.sold.reduce((sum, { cash }) => sum + cash, 0n)
}

/** The total cash after the sale that ends the window. */
export function finishWindow(
  { run }: WindowPath,
  { costs, window }: Pick<FollowedWindow, 'costs' | 'window'>,
): Units {
  return run.sleeves.reduce(
    (sum, { position, series }) =>
      sum +
      position.cash +
      soldFor(position, { price: exitPrice(series, countBefore(series, window.toMs)), costs }),
    0n,
  )
}

function soldFor(
  { base }: Position,
  { price, costs }: { price: Units; costs: TradingCosts },
): Units {
  return base > 0n ? cashMoved(paperFill({ side: 'sell', quantity: base, price, costs })) : 0n
}

export function afterFee(out: Units, { invested, feeBps }: WindowMoney): Units {
  return out - closingFee({ invested, out, feeBps }).fee
}

/** The open of the candle at `index`; after the last candle, its close. */
export function exitPrice({ open, close, length }: CandleSeries, index: number): Units {
  return index < length ? priceAt(open, index) : priceAt(close, length - 1)
}
