import { periodStart } from '#core/bots/savings-plan.ts'
import { countBefore, priceAt } from '#core/market/candle-series.ts'
import type { Units } from '#core/money/amount.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import { planSubscription } from '#core/pool/lot.ts'
import type { Cause } from '#core/strategy/reason.ts'
import {
  earnUntil,
  openRun,
  serveSleeve,
  skipToTrade,
  tradeSleeve,
  type BacktestRun,
  type DecidedMarket,
  type Sleeve,
} from '#core/strategy/sleeve.ts'
import { splitInvestment } from '#core/trading/position.ts'
import type { Window } from './universe.ts'
import { afterFee, exitPrice, type WindowMoney } from './window-path.ts'

type WindowInput = WindowMoney & {
  window: Window
  /** In the order of PAIRS, each with every exposure change from its first candle on. */
  markets: readonly DecidedMarket[]
  /** Default 0. */
  yieldBps?: number
}

/** Placeholder: the reason of the closing sale is never shown. */
const CLOSED: Cause = { kind: 'hold', exposureBps: 0 }

/** A bot's worth after one window: invested all at once, or in monthly parts. */
type WindowEnds = { once: Units; monthly: Units }

/**
 * Equals a backtest of the window that ends by selling the coins at the exit prices. Visits only
 * candles with trades, so that thousands of windows take seconds. Monthly parts join this same bot,
 * as added money joins a pool.
 */
export function windowEnds({
  window,
  markets,
  invested,
  costs,
  feeBps,
  yieldBps = 0,
}: WindowInput): WindowEnds {
  const run = openRun({ markets, invested, ...window, costs, feeBps, yieldBps, keepsTrades: false })
  const cash = splitInvestment({ invested, count: MONTHLY_PARTS }).map((part) =>
    splitInvestment({ invested: part, count: markets.length }),
  )
  const times = cash.map((_part, month) =>
    periodStart({ startMs: window.fromMs, every: 'month' }, month),
  )
  let [once, monthly] = [0n, 0n]
  for (const [which, sleeve] of run.sleeves.entries()) {
    monthly += runSleeve(run, sleeve, {
      toMs: window.toMs,
      parts: times.map((atMs, month) => ({ atMs, cash: cash[month]?.[which] ?? 0n })),
    })
    once += sleeve.position.cash
  }
  const money = { invested, costs, feeBps }
  return { once: afterFee(once, money), monthly: afterFee(monthly, money) }
}

/**
 * Number of equal parts, invested on the window's first day and on the same day of the following
 * months.
 */
const MONTHLY_PARTS = 12

type Part = { atMs: number; cash: Units }

/** A part's claim on a sleeve: `part` of `whole`. */
type Joined = { part: bigint; whole: bigint }

/**
 * Computes a sleeve from trade to trade, then sells after the window. A monthly part stays cash
 * until its day, or for good if no candle follows.
 */
function runSleeve(
  run: BacktestRun,
  sleeve: Sleeve,
  { toMs, parts }: { toMs: number; parts: readonly Part[] },
): Units {
  const { end } = sleeve
  const joined: Joined[] = []
  let idle = 0n
  for (const { atMs, cash } of parts) {
    runUntil(run, sleeve, Math.min(countBefore(sleeve.series, atMs), end))
    if (sleeve.index < end) joined.push(joinPart(run, sleeve, cash))
    else idle += cash
  }
  runUntil(run, sleeve, end)
  earnUntil(run, sleeve, toMs)
  sellSleeve(run, sleeve)
  const { cash } = sleeve.position
  return joined.reduce(
    (sum, { part, whole }) => sum + multiplyDivideFloor({ a: cash, b: part, divisor: whole }),
    idle,
  )
}

function runUntil(run: BacktestRun, sleeve: Sleeve, end: number): void {
  sleeve.end = end
  for (; sleeve.index < sleeve.end; skipToTrade(run, sleeve)) serveSleeve(run, sleeve)
}

/** Buys the mix that the sleeve holds after its own trade at this open, costs included. */
function joinPart(run: BacktestRun, sleeve: Sleeve, cash: Units): Joined {
  serveSleeve(run, sleeve)
  const { position, series, index } = sleeve
  if (position.base === 0n) return { part: cash, whole: position.cash }
  const pool = { ...position, units: position.base }
  return {
    part: planSubscription({ pool, cash, price: priceAt(series.open, index), costs: run.costs }),
    whole: position.base,
  }
}

function sellSleeve(run: BacktestRun, sleeve: Sleeve): void {
  if (sleeve.position.base === 0n) return
  sleeve.index = sleeve.end
  sleeve.targetBps = 0
  sleeve.targetCause = CLOSED
  tradeSleeve(run, sleeve, exitPrice(sleeve.series, sleeve.end))
}
