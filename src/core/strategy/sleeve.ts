import { assert } from '#core/assert.ts'
import { priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { NO_FEE, payFee, performanceFee, type PerformanceFee } from '#core/trading/fee.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { applyBuy, applySell, equityOf, type Position } from '#core/trading/position.ts'
import { planOrder } from '#core/trading/rebalance.ts'
import { backtestTrade, type BacktestTrade } from './backtest-trade.ts'
import type { Cause } from './reason.ts'
import type { ExposureChange } from './signals.ts'

/** One pair of a bot while a backtest runs over its candles. */
export type Sleeve = {
  pair: Pair
  series: CandleSeries
  changes: readonly ExposureChange[]
  position: Position
  /** The candle that is next, or that is open while `opened`. */
  index: number
  /** Behind the last candle. */
  end: number
  opened: boolean
  /** What the strategy wants, and why. */
  wantedBps: number
  wantedFor: Cause | undefined
  nextChange: number
  nextChangeAt: number
  /** The position and its last close as numbers, for the drawdown at every close. */
  cashSignal: number
  baseSignal: number
  closeSignal: number
}

/** One bot while a backtest runs. */
export type Book = {
  sleeves: readonly Sleeve[]
  invested: Units
  costs: TradingCosts
  feeBps: number
  feesPaid: Units
  venueFees: Units
  traded: Units
  trades: BacktestTrade[]
}

export function openBook({ sleeves, invested, costs, feeBps, portfolio }: {
  sleeves: readonly Sleeve[]
  invested: Units
  costs: TradingCosts
  feeBps: number
  portfolio: { feesPaid: Units } | undefined
}): Book {
  for (const sleeve of sleeves) mirror(sleeve)
  return { sleeves, invested, costs, feeBps, feesPaid: portfolio?.feesPaid ?? 0n, venueFees: 0n, traded: 0n, trades: [] }
}

export function equityOfBook({ sleeves }: Book): Units {
  return sleeves.reduce((sum, sleeve) => sum + equityOf({ position: sleeve.position, price: lastPrice(sleeve) }), 0n)
}

export function takeChange(sleeve: Sleeve): void {
  const change = sleeve.changes[sleeve.nextChange]
  sleeve.wantedBps = change?.exposureBps ?? 0
  sleeve.wantedFor = change?.cause
  sleeve.nextChange += 1
  sleeve.nextChangeAt = sleeve.changes[sleeve.nextChange]?.closedCount ?? Number.POSITIVE_INFINITY
}

/** Takes a sleeve to what is wanted, at the open of its candle. Where the order would be empty, what is wanted counts as applied. */
export function tradeSleeve(book: Book, sleeve: Sleeve): void {
  const { series, index, wantedBps: exposureBps, wantedFor: cause } = sleeve
  const price = priceAt(series.open, index)
  const order = planOrder({ position: sleeve.position, exposureBps, price, costs: book.costs })
  if (!order) {
    sleeve.position = { ...sleeve.position, appliedBps: exposureBps }
    return
  }
  assert(cause, 'what is wanted has a cause')
  const fill = paperFill({ ...order, price, costs: book.costs })
  const share = { quantity: fill.quantity, total: cashMoved(fill), fee: fill.fee }
  let profit = 0n
  let due = NO_FEE
  if (fill.side === 'buy') sleeve.position = applyBuy({ position: sleeve.position, share, exposureBps })
  else {
    const sold = applySell({ position: sleeve.position, share, exposureBps })
    sleeve.position = sold.position
    profit = sold.profit
    due = payPlatform(book, sleeve)
  }
  book.venueFees += fill.fee
  book.traded += fill.notional
  mirror(sleeve)
  book.trades.push(backtestTrade({ timeMs: series.openTimesMs[index] ?? 0, pair: sleeve.pair, fill, profit, platformFee: due.fee, cause }))
}

function payPlatform(book: Book, sleeve: Sleeve): PerformanceFee {
  const sleeves = book.sleeves.map((each) => ({ position: each.position, price: lastPrice(each) }))
  const due = performanceFee({ sleeves, invested: book.invested, feesPaid: book.feesPaid, feeBps: book.feeBps, cash: sleeve.position.cash })
  sleeve.position = payFee({ position: sleeve.position, due })
  book.feesPaid += due.fee
  return due
}

/** The open of the candle that is open, else the last close; a pair that never traded has no price and nothing is held of it. */
function lastPrice({ series, index, opened }: Sleeve): Units {
  if (opened) return priceAt(series.open, index)
  return index > 0 ? priceAt(series.close, index - 1) : 0n
}

/** Divided by ONE once here, so that base × price as numbers is units of quote. */
function mirror(sleeve: Sleeve): void {
  sleeve.cashSignal = Number(sleeve.position.cash)
  sleeve.baseSignal = Number(sleeve.position.base) / Number(ONE)
}
