import { priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import type { Units } from '#core/money/amount.ts'
import type { Cause } from '#core/strategy/reason.ts'
import { earnUntil, openRun, serveSleeve, skipToTrade, tradeSleeve, type BacktestRun, type DecidedMarket, type Sleeve } from '#core/strategy/sleeve.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { closingFee } from '#core/trading/fee.ts'

/** A period of history in which a bot is created, runs and is closed. */
export type Window = { fromMs: number; toMs: number }

type WindowInput = {
  window: Window
  /** In the order of PAIRS, each with every exposure change from its first candle on. */
  markets: readonly DecidedMarket[]
  invested: Units
  costs: TradingCosts
  feeBps: number
  /** Yearly rate that idle cash earns, in basis points; default 0. */
  yieldBps?: number
}

/** Nobody reads the reason of the sale that ends a window. */
const CLOSED: Cause = { kind: 'hold', exposureBps: 0 }

/**
 * The cash of a bot's owner after one window, in units of USD. The bot enters at the first opens in the window, has every order, fill and
 * cost as in trading, and sells at the first opens after it, or at the last close of a pair whose candles have ended, when the platform fee
 * is charged on the profit. Equals a backtest of the window, but visits only candles that trade, so that thousands of windows take seconds.
 */
export function botEnd({ window, markets, invested, costs, feeBps, yieldBps = 0 }: WindowInput): Units {
  const run = openRun({ markets, invested, ...window, costs, feeBps, yieldBps, keepsTrades: false })
  for (const sleeve of run.sleeves) runSleeve(run, sleeve, window)
  const out = run.sleeves.reduce((sum, { position }) => sum + position.cash, 0n)
  return out - closingFee({ invested, out, feeBps }).fee
}

/** Jumps from trade to trade, then sells everything after the window. */
function runSleeve(run: BacktestRun, sleeve: Sleeve, { toMs }: Window): void {
  for (; sleeve.index < sleeve.end; skipToTrade(run, sleeve)) serveSleeve(run, sleeve)
  earnUntil(run, sleeve, toMs)
  if (sleeve.position.base === 0n) return
  sleeve.index = sleeve.end
  sleeve.targetBps = 0
  sleeve.targetCause = CLOSED
  tradeSleeve(run, sleeve, exitPrice(sleeve.series, sleeve.end))
}

/** The open of the candle at `index`, or the last close if the candles have ended. */
function exitPrice({ open, close, length }: CandleSeries, index: number): Units {
  return index < length ? priceAt(open, index) : priceAt(close, length - 1)
}
