import type { Sentence } from '#core/sentences.ts'
import { assert } from '#core/assert.ts'
import { countBefore, priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { interestOf, midnightAfter } from '#core/trading/cash-yield.ts'
import { closingFee } from '#core/trading/performance-fee.ts'
import { driftPrices, weightBps } from '#core/trading/drift.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import {
  applyBuy,
  applySell,
  equityOf,
  openPosition,
  splitInvestment,
  type Position,
} from '#core/trading/position.ts'
import { planOrder } from '#core/trading/rebalance.ts'
import { backtestTrade, type BacktestTrade } from './backtest-trade.ts'
import type { Cause } from './reason.ts'
import { exposureChanges, type ExposureChange } from './exposure-changes.ts'
import { allowedDriftBps } from './strategy.ts'
import type { StrategyKey } from './strategy-key.ts'

/** `changes`: in order. `driftBps`: see `allowedDriftBps`. */
export type DecidedMarket = {
  pair: Pair
  series: CandleSeries
  changes: readonly ExposureChange[]
  driftBps?: number | undefined
}

export function decideMarket({
  strategy,
  costs,
  pair,
  series,
}: {
  strategy: StrategyKey
  costs: TradingCosts
  pair: Pair
  series: CandleSeries
}): DecidedMarket {
  return {
    pair,
    series,
    changes: exposureChanges({ strategy, costs, series, fromCount: 0, toCount: series.length }),
    driftBps: allowedDriftBps(strategy),
  }
}

/** One pair of a bot during a backtest. */
export type Sleeve = DecidedMarket & {
  position: Position
  /** Index of the next candle, or of the open candle while the sleeve trades. */
  index: number
  /** Exclusive. */
  end: number
  targetBps: number
  targetCause: Cause | undefined
  /** Index in `changes`, and the candle from which that change applies. */
  nextChange: number
  nextChangeAt: number
  /**
   * Closes at or beyond which the coins have left their band: the sleeve then trades at the next
   * open.
   */
  aboveSignal: number
  belowSignal: number
  /** The next midnight that pays interest. */
  nextInterestMs: number
  /** Floating-point copies for the drawdown, which is computed at every close. */
  cashSignal: number
  baseSignal: number
  closeSignal: number
}

/** One bot. `feeBps`: the platform fee; `yieldBps`: yearly rate of idle cash. */
export type BacktestRun = Pick<RunInput, 'invested' | 'costs' | 'feeBps' | 'yieldBps'> & {
  sleeves: readonly Sleeve[]
  venueFees: Units
  /** In both directions. */
  traded: Units
  /** Undefined if not needed, because describing each trade takes half the time of a window. */
  trades: BacktestTrade[] | undefined
}

/** `positions`: those in which an earlier run ended; by default cash in equal parts. */
type RunInput = {
  markets: readonly DecidedMarket[]
  invested: Units
  fromMs: number
  toMs: number
  costs: TradingCosts
  feeBps: number
  yieldBps: number
  positions?: readonly Position[] | undefined
  keepsTrades: boolean
}

/** Opens a run with the target exposures at its start. */
export function openRun({
  markets,
  invested,
  fromMs,
  toMs,
  costs,
  feeBps,
  yieldBps,
  positions,
  keepsTrades,
}: RunInput): BacktestRun {
  const cash = splitInvestment({ invested, count: markets.length })
  const sleeves = markets.map((market, which) => {
    const position = positions?.[which] ?? openPosition(cash[which] ?? 0n)
    return openSleeve({ market, position, fromMs, end: countBefore(market.series, toMs) })
  })
  return {
    sleeves,
    invested,
    costs,
    feeBps,
    yieldBps,
    venueFees: 0n,
    traded: 0n,
    trades: keepsTrades ? [] : undefined,
  }
}

/** Proceeds at the last closes. */
export function closingNow({ sleeves, invested, feeBps }: BacktestRun): {
  equity: Units
  fee: Units
} {
  const out = sleeves.reduce(
    (sum, sleeve) => sum + equityOf({ position: sleeve.position, price: lastClose(sleeve) }),
    0n,
  )
  const { fee } = closingFee({ invested, out, feeBps })
  return { equity: out - fee, fee }
}

/** Pays interest at each midnight up to `timeMs`. */
export function earnUntil({ yieldBps }: BacktestRun, sleeve: Sleeve, timeMs: number): void {
  if (yieldBps === 0 || timeMs < sleeve.nextInterestMs) return
  let { cash } = sleeve.position
  for (
    ;
    sleeve.nextInterestMs <= timeMs;
    sleeve.nextInterestMs = midnightAfter(sleeve.nextInterestMs)
  )
    cash += interestOf(cash, yieldBps)
  placeSleeve(sleeve, { ...sleeve.position, cash })
}

export function skipInterest(sleeve: Sleeve, timeMs: number): void {
  while (sleeve.nextInterestMs <= timeMs)
    sleeve.nextInterestMs = midnightAfter(sleeve.nextInterestMs)
}

/**
 * Pays interest up to the open of the sleeve's candle, and trades to a new target exposure there.
 */
export function serveSleeve(run: BacktestRun, sleeve: Sleeve): void {
  earnUntil(run, sleeve, openTimeOf(sleeve))
  if (sleeve.index >= sleeve.nextChangeAt) takeChange(sleeve)
  if (sleeve.targetBps !== sleeve.position.appliedBps) tradeSleeve(run, sleeve)
}

export function closeCandle(sleeve: Sleeve): void {
  const close = sleeve.series.closeSignal[sleeve.index] ?? Number.NaN
  sleeve.closeSignal = close
  if (close >= sleeve.aboveSignal || close <= sleeve.belowSignal) noteDrift(sleeve)
  sleeve.index += 1
}

export function skipToTrade(run: BacktestRun, sleeve: Sleeve): void {
  const {
    driftBps,
    series: { closeSignal },
  } = sleeve
  const until = Math.min(sleeve.nextChangeAt, sleeve.end)
  let index = sleeve.index
  if (driftBps === undefined) index = until
  for (; index < until; index += 1) {
    sleeve.index = index
    // Interest moves the closes at which coins leave their band.
    earnUntil(run, sleeve, openTimeOf(sleeve))
    const close = closeSignal[index] ?? Number.NaN
    if (close >= sleeve.aboveSignal || close <= sleeve.belowSignal) break
  }
  sleeve.index = index
  if (index < until) closeCandle(sleeve)
}

export function placeSleeve(sleeve: Sleeve, position: Position): void {
  sleeve.position = position
  mirror(sleeve)
}

/** Follows the strategy without trading, and sells all coins at the open. */
export function sellSleeve(run: BacktestRun, sleeve: Sleeve, reason: Sentence): void {
  if (sleeve.index >= sleeve.nextChangeAt) takeChange(sleeve)
  if (sleeve.position.base === 0n) return
  const { targetBps, targetCause } = sleeve
  sleeve.targetBps = 0
  tradeSleeve(run, sleeve, priceAt(sleeve.series.open, sleeve.index), reason)
  sleeve.targetBps = targetBps
  sleeve.targetCause = targetCause
}

/** A sleeve without coins leaves its pool at once; when it returns, it trades like a new one. */
export function emptySleeve(sleeve: Sleeve): void {
  if (sleeve.position.base === 0n) sleeve.position = { ...sleeve.position, appliedBps: 0 }
}

/** If the order would be empty, the target counts as applied. */
export function tradeSleeve(
  run: BacktestRun,
  sleeve: Sleeve,
  price: Units = priceAt(sleeve.series.open, sleeve.index),
  reason?: Sentence,
): void {
  const { pair, series, index, position, targetBps: exposureBps, targetCause: cause } = sleeve
  const order = planOrder({ position, exposureBps, price, costs: run.costs })
  if (!order) {
    sleeve.position = { ...position, appliedBps: exposureBps }
    return
  }
  assert(cause, 'a target exposure has a cause')
  const fill = paperFill({ ...order, price, costs: run.costs })
  const traded = {
    position,
    share: { quantity: fill.quantity, total: cashMoved(fill), fee: fill.fee },
    exposureBps,
  }
  const { position: after, profit } =
    fill.side === 'buy' ? { position: applyBuy(traded), profit: 0n } : applySell(traded)
  sleeve.position = after
  run.venueFees += fill.fee
  run.traded += fill.notional
  mirror(sleeve)
  run.trades?.push(
    backtestTrade({
      timeMs: series.openTimesMs[index] ?? 0,
      pair,
      fill,
      profit,
      cause,
      fromBps: position.appliedBps,
      exposureBps,
      guard: reason,
    }),
  )
}

type Opening = { market: DecidedMarket; position: Position; fromMs: number; end: number }

function openSleeve({
  market: { pair, series, changes, driftBps },
  position,
  fromMs,
  end,
}: Opening): Sleeve {
  const index = countBefore(series, fromMs)
  const nextChange = changesBy(changes, index)
  const inForce = changes[nextChange - 1]
  const sleeve: Sleeve = {
    pair,
    series,
    changes,
    driftBps,
    position,
    index,
    end,
    targetBps: inForce?.exposureBps ?? 0,
    targetCause: inForce?.cause,
    nextChange,
    nextChangeAt: changes[nextChange]?.closedCount ?? Number.POSITIVE_INFINITY,
    aboveSignal: Number.POSITIVE_INFINITY,
    belowSignal: Number.NEGATIVE_INFINITY,
    nextInterestMs: midnightAfter(fromMs),
    cashSignal: 0,
    baseSignal: 0,
    closeSignal: series.closeSignal[index - 1] ?? 0,
  }
  mirror(sleeve)
  return sleeve
}

/**
 * Number of changes in force after `closedCount` candles. A binary search, for thousands of
 * windows.
 */
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
  sleeve.targetBps = change?.exposureBps ?? 0
  sleeve.targetCause = change?.cause
  sleeve.nextChange += 1
  sleeve.nextChangeAt = sleeve.changes[sleeve.nextChange]?.closedCount ?? Number.POSITIVE_INFINITY
}

const openTimeOf = ({ series, index }: Sleeve): number =>
  series.openTimesMs[index] ?? Number.NEGATIVE_INFINITY

/** The close before the next candle; 0 before the first, when nothing of the pair is held. */
function lastClose({ series, index }: Sleeve): Units {
  return index > 0 ? priceAt(series.close, index - 1) : 0n
}

function noteDrift(sleeve: Sleeve): void {
  sleeve.position = {
    ...sleeve.position,
    appliedBps: weightBps(sleeve.position, priceAt(sleeve.series.close, sleeve.index)),
  }
}

/**
 * Copies the position as signals. Base is divided by ONE, so that base × price is in units of
 * quote.
 */
function mirror(sleeve: Sleeve): void {
  const { position, targetBps: exposureBps, driftBps } = sleeve
  sleeve.cashSignal = Number(position.cash)
  sleeve.baseSignal = Number(position.base) / Number(ONE)
  const prices =
    driftBps === undefined ? undefined : driftPrices(position, { exposureBps, driftBps })
  sleeve.aboveSignal = prices ? Number(prices.above) : Number.POSITIVE_INFINITY
  sleeve.belowSignal = prices ? Number(prices.below) : Number.NEGATIVE_INFINITY
}
