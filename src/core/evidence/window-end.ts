import { countBefore, priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import type { Units } from '#core/money/amount.ts'
import { causeWithoutTrends } from '#core/strategy/reason.ts'
import { openRun, serveSleeve, tradeSleeve, type BacktestRun, type DecidedMarket, type Sleeve } from '#core/strategy/sleeve.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { closingFee } from '#core/trading/fee.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { openPosition, splitInvestment } from '#core/trading/position.ts'
import { FULL_EXPOSURE_BPS, planOrder } from '#core/trading/rebalance.ts'

/** A stretch of history in which a bot is created, runs and is deleted. */
export type Window = { fromMs: number; toMs: number }

type WindowInput = {
  window: Window
  /** In the order of PAIRS, each with every change from its first candle on. */
  markets: readonly DecidedMarket[]
  invested: Units
  costs: TradingCosts
  feeBps: number
}

/**
 * What a bot's owner has in cash after one window: in at its first opens, every order, fill and cost as in trading, and out at the first
 * opens behind it, the platform's fee taken of the profit then. The same as a backtest of the window, told only of the candles at which
 * something is traded, so that thousands of windows are a matter of seconds.
 */
export function botEnd({ window, markets, invested, costs, feeBps }: WindowInput): Units {
  const run = openRun({ markets, invested, ...window, costs, feeBps })
  for (const sleeve of run.sleeves) runSleeve(run, sleeve)
  const out = run.sleeves.reduce((sum, { position }) => sum + position.cash, 0n)
  return out - closingFee({ invested, out, feeBps }).fee
}

/** From one change to the next, for between them nothing trades; then all is sold at the first open behind the window. */
function runSleeve(run: BacktestRun, sleeve: Sleeve): void {
  for (; sleeve.index < sleeve.end; sleeve.index = sleeve.nextChangeAt) serveSleeve(run, sleeve)
  if (sleeve.position.base === 0n) return
  sleeve.index = sleeve.end
  sleeve.wantedBps = 0
  sleeve.wantedFor = causeWithoutTrends(0)
  tradeSleeve(run, sleeve)
}

/** The same money in the same pairs, bought at the first opens, held, and sold at the first opens behind the window: venue costs only. */
export function heldEnd({ window, markets, invested, costs }: Omit<WindowInput, 'feeBps'>): Units {
  const cash = splitInvestment({ invested, count: markets.length })
  return markets.reduce((total, { series }, which) => {
    const [bought, sold] = [openFrom(series, window.fromMs), openFrom(series, window.toMs)]
    return total + holdOne({ cash: cash[which] ?? 0n, bought, sold, costs })
  }, 0n)
}

function holdOne({ cash, bought, sold, costs }: { cash: Units; bought: Units; sold: Units; costs: TradingCosts }): Units {
  const order = planOrder({ position: openPosition(cash), exposureBps: FULL_EXPOSURE_BPS, price: bought, costs })
  if (!order) return cash
  const entry = cashMoved(paperFill({ ...order, price: bought, costs }))
  return cash - entry + cashMoved(paperFill({ side: 'sell', quantity: order.quantity, price: sold, costs }))
}

/** The first open at or after `timeMs`. */
function openFrom(series: CandleSeries, timeMs: number): Units {
  return priceAt(series.open, countBefore(series, timeMs))
}
