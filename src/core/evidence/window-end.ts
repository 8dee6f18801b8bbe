import { priceAt } from '#core/market/candle-series.ts'
import type { Units } from '#core/money/amount.ts'
import type { Cause } from '#core/strategy/reason.ts'
import { equityOfBook, openBook, takeChange, tradeSleeve, type Book, type Sleeve } from '#core/strategy/sleeve.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { openPosition, splitInvestment, type Position } from '#core/trading/position.ts'
import { planOrder } from '#core/trading/rebalance.ts'
import { between, openingsAt, type Moment, type ScheduledMarket } from './schedule.ts'

/** A stretch of history in which a bot is created, runs and is deleted. */
export type Window = { fromMs: number; toMs: number }

type Money = { invested: Units; costs: TradingCosts; feeBps: number }

type WindowInput = Money & { window: Window; markets: readonly ScheduledMarket[]; schedule: readonly Moment[] }

const SOLD: Cause = { exposureBps: 0, close: 0, turn: 'none', lookback: 0, level: 0, trendsUp: 0, trends: 0, volatility: 0, candlesMissing: 0 }

/**
 * What a bot's owner has in cash after one window: in at its first opens, every order, fill and fee as in trading, and out at the first
 * opens behind it, the platform's fee on the last profit paid. The same as a backtest of the window, told only of the moments at which
 * something is traded, so that thousands of windows are a matter of seconds. `markets` stand in the order of PAIRS.
 */
export function botEnd({ window, markets, schedule, invested, costs, feeBps }: WindowInput): Units {
  const entries = openingsAt(markets, window.fromMs)
  const book = openBook({ sleeves: sleevesOf({ markets, entries, invested }), invested, costs, feeBps, portfolio: undefined })
  for (const moment of inOrder({ entries, changes: between(schedule, window) })) serve(book, moment)
  for (const moment of openingsAt(markets, window.toMs)) sellOpen(book, moment)
  return equityOfBook(book)
}

/** The same money in the same pairs, bought at the first opens, held, and sold at the first opens behind the window: venue costs only. */
export function heldEnd({ window, markets, invested, costs }: Omit<WindowInput, 'schedule' | 'feeBps'>): Units {
  const cash = splitInvestment({ invested, count: markets.length })
  const [entries, exits] = [openingsAt(markets, window.fromMs), openingsAt(markets, window.toMs)]
  return markets.reduce((total, { series }, which) => {
    const bought = priceAt(series.open, openIndexOf(entries, which))
    const sold = priceAt(series.open, openIndexOf(exits, which))
    return total + holdOne({ cash: cash[which] ?? 0n, bought, sold, costs })
  }, 0n)
}

function holdOne({ cash, bought, sold, costs }: { cash: Units; bought: Units; sold: Units; costs: TradingCosts }): Units {
  const position: Position = openPosition(cash)
  const order = planOrder({ position, exposureBps: 10_000, price: bought, costs })
  if (!order) return cash
  const entry = cashMoved(paperFill({ ...order, price: bought, costs }))
  return cash - entry + cashMoved(paperFill({ side: 'sell', quantity: order.quantity, price: sold, costs }))
}

/** The candle that market `which` opens at one of `moments`. */
function openIndexOf(moments: readonly Moment[], which: number): number {
  const moment = moments.find(({ opened }) => opened[which])
  return moment?.indexes[which] ?? -1
}

function sleevesOf({ markets, entries, invested }: { markets: readonly ScheduledMarket[]; entries: readonly Moment[]; invested: Units }): Sleeve[] {
  const cash = splitInvestment({ invested, count: markets.length })
  return markets.map(({ pair, series, changes }, which) => {
    const index = openIndexOf(entries, which)
    const sleeve: Sleeve = {
      pair,
      series,
      changes,
      position: openPosition(cash[which] ?? 0n),
      index,
      end: series.length,
      opened: false,
      wantedBps: 0,
      wantedFor: undefined,
      nextChange: lastChangeBy(changes, index),
      nextChangeAt: 0,
      cashSignal: 0,
      baseSignal: 0,
      closeSignal: 0,
    }
    takeChange(sleeve)
    return sleeve
  })
}

/** The change in force once `closedCount` candles are closed. */
function lastChangeBy(changes: ScheduledMarket['changes'], closedCount: number): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((changes[middle]?.closedCount ?? 0) <= closedCount) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** None twice: while a pair with a hole is still to come, another may change already. */
function inOrder({ entries, changes }: { entries: readonly Moment[]; changes: readonly Moment[] }): Moment[] {
  const known = new Set(entries.map(({ timeMs }) => timeMs))
  return [...entries, ...changes.filter(({ timeMs }) => !known.has(timeMs))].toSorted((a, b) => a.timeMs - b.timeMs)
}

/** As a backtest does: first the candles of all pairs open, then each pair is served in the order of PAIRS. */
function serve(book: Book, moment: Moment): void {
  arriveAt(book, moment)
  for (const sleeve of book.sleeves) {
    if (!sleeve.opened) continue
    if (sleeve.index >= sleeve.nextChangeAt) takeChange(sleeve)
    if (sleeve.wantedBps !== sleeve.position.appliedBps) tradeSleeve(book, sleeve)
  }
}

function sellOpen(book: Book, moment: Moment): void {
  arriveAt(book, moment)
  for (const sleeve of book.sleeves) {
    if (!sleeve.opened || sleeve.position.base === 0n) continue
    sleeve.wantedBps = 0
    sleeve.wantedFor = SOLD
    tradeSleeve(book, sleeve)
  }
}

function arriveAt({ sleeves }: Book, { indexes, opened }: Moment): void {
  for (const [which, sleeve] of sleeves.entries()) {
    sleeve.index = indexes[which] ?? 0
    sleeve.opened = opened[which] ?? false
  }
}
