import { assert } from '#core/assert.ts'
import { countBefore, priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { closingFee } from '#core/trading/fee.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { applyBuy, applySell, equityOf, openPosition, splitInvestment, type Position } from '#core/trading/position.ts'
import { planOrder } from '#core/trading/rebalance.ts'
import { backtestTrade, type BacktestTrade } from './backtest-trade.ts'
import type { Cause } from './reason.ts'
import type { ExposureChange } from './signals.ts'

/** A pair, its candles, and every exposure change on them that matters. */
export type DecidedMarket = { pair: Pair; series: CandleSeries; changes: readonly ExposureChange[] }

/** One pair of a bot while a backtest runs over its candles. */
export type Sleeve = DecidedMarket & {
  position: Position
  /** The candle that is next, or that is open while the sleeve is served. */
  index: number
  /** Behind the last candle. */
  end: number
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
export type BacktestRun = {
  sleeves: readonly Sleeve[]
  invested: Units
  costs: TradingCosts
  /** The platform's part of the profit in money that leaves the bot, in basis points. */
  feeBps: number
  venueFees: Units
  traded: Units
  trades: BacktestTrade[]
}

/** What a bot is and how long it runs; `positions` where it goes on, else cash in equal parts. */
type RunInput = {
  markets: readonly DecidedMarket[]
  invested: Units
  fromMs: number
  toMs: number
  costs: TradingCosts
  feeBps: number
  positions?: readonly Position[] | undefined
}

/** A bot before its first candle, wanting what the changes up to there have led to. */
export function openRun({ markets, invested, fromMs, toMs, costs, feeBps, positions }: RunInput): BacktestRun {
  const cash = splitInvestment({ invested, count: markets.length })
  const sleeves = markets.map((market, which) => {
    const position = positions?.[which] ?? openPosition(cash[which] ?? 0n)
    return openSleeve({ market, position, index: countBefore(market.series, fromMs), end: countBefore(market.series, toMs) })
  })
  return { sleeves, invested, costs, feeBps, venueFees: 0n, traded: 0n, trades: [] }
}

/** What closing the bot at the last closes would leave its owner, and the fee that it would cost: no more could be had. */
export function closingNow({ sleeves, invested, feeBps }: BacktestRun): { equity: Units; fee: Units } {
  const out = sleeves.reduce((sum, sleeve) => sum + equityOf({ position: sleeve.position, price: lastClose(sleeve) }), 0n)
  const { fee } = closingFee({ invested, out, feeBps })
  return { equity: out - fee, fee }
}

/** Does what is wanted at the open of the sleeve's candle. */
export function serveSleeve(run: BacktestRun, sleeve: Sleeve): void {
  if (sleeve.index >= sleeve.nextChangeAt) takeChange(sleeve)
  if (sleeve.wantedBps !== sleeve.position.appliedBps) tradeSleeve(run, sleeve)
}

/** Takes a sleeve to what is wanted, at the open of its candle. Where the order would be empty, what is wanted counts as applied. */
export function tradeSleeve(run: BacktestRun, sleeve: Sleeve): void {
  const { pair, series, index, position, wantedBps: exposureBps, wantedFor: cause } = sleeve
  const price = priceAt(series.open, index)
  const order = planOrder({ position, exposureBps, price, costs: run.costs })
  if (!order) {
    sleeve.position = { ...position, appliedBps: exposureBps }
    return
  }
  assert(cause, 'what is wanted has a cause')
  const fill = paperFill({ ...order, price, costs: run.costs })
  const traded = { position, share: { quantity: fill.quantity, total: cashMoved(fill), fee: fill.fee }, exposureBps }
  const { position: after, profit } = fill.side === 'buy' ? { position: applyBuy(traded), profit: 0n } : applySell(traded)
  sleeve.position = after
  run.venueFees += fill.fee
  run.traded += fill.notional
  mirror(sleeve)
  run.trades.push(backtestTrade({ timeMs: series.openTimesMs[index] ?? 0, pair, fill, profit, cause }))
}

type Opening = { market: DecidedMarket; position: Position; index: number; end: number }

function openSleeve({ market: { pair, series, changes }, position, index, end }: Opening): Sleeve {
  const nextChange = changesBy(changes, index)
  const inForce = changes[nextChange - 1]
  const sleeve: Sleeve = {
    pair,
    series,
    changes,
    position,
    index,
    end,
    wantedBps: inForce?.exposureBps ?? 0,
    wantedFor: inForce?.cause,
    nextChange,
    nextChangeAt: changes[nextChange]?.closedCount ?? Number.POSITIVE_INFINITY,
    cashSignal: 0,
    baseSignal: 0,
    closeSignal: series.closeSignal[index - 1] ?? 0,
  }
  mirror(sleeve)
  return sleeve
}

/** How many of the changes are made once `closedCount` candles are closed: halving, since thousands of windows ask. */
function changesBy(changes: readonly ExposureChange[], closedCount: number): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((changes[middle]?.closedCount ?? 0) <= closedCount) low = middle + 1
    else high = middle
  }
  return low
}

function takeChange(sleeve: Sleeve): void {
  const change = sleeve.changes[sleeve.nextChange]
  sleeve.wantedBps = change?.exposureBps ?? 0
  sleeve.wantedFor = change?.cause
  sleeve.nextChange += 1
  sleeve.nextChangeAt = sleeve.changes[sleeve.nextChange]?.closedCount ?? Number.POSITIVE_INFINITY
}

/** A pair that never traded has no price, and nothing is held of it. */
function lastClose({ series, index }: Sleeve): Units {
  return index > 0 ? priceAt(series.close, index - 1) : 0n
}

/** Divided by ONE once here, so that base × price as numbers is units of quote. */
function mirror(sleeve: Sleeve): void {
  sleeve.cashSignal = Number(sleeve.position.cash)
  sleeve.baseSignal = Number(sleeve.position.base) / Number(ONE)
}
