import { ONE, type Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { BacktestTrade } from '#core/strategy/backtest-trade.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Position } from '#core/trading/position.ts'
import type { Standing } from './standing.ts'

/**
 * A change that a pool's value per unit depends on: founding, a trade of its strategy, interest, or
 * the last member's leaving. Other joins and leaves move cash and coins in proportion.
 */
export type RecordedChange = {
  /** Number in the pool's journal. */
  number: bigint
  timeMs: number
  /** Side of the strategy's trade; null for any other change. */
  side: Side | null
  quantity: Units
  /** Money paid or received, after the venue's fee. */
  total: Units
  fee: Units
  /** Paid on the pool's cash. */
  interest?: Units
  /** Market price when its order was planned; 0 without an order. */
  price: Units
  /** Holdings after the change. */
  cash: Units
  base: Units
  units: bigint
}

/**
 * The money of the backtest. Any amount gives the same returns, because costs are proportional;
 * this one is large enough that rounding does not matter.
 */
export const INVESTED: Units = decimalToUnits('10000')

/**
 * One life of a pool, from founding until the last member leaves. All numbers are per unit of quote
 * at the founding: coins in units of base, everything else in units of quote.
 */
export type Life = {
  unitValue: number
  cash: number
  base: number
  /** Position of the backtest, which starts with INVESTED in the hour of the founding. */
  position: Position
  fee: number
  spread: number
  delay: number
  interest: number
  /**
   * Coins really bought minus those bought in the backtest; `moreAtOpen` counts purchases at the
   * opens of their hours.
   */
  moreBase: number
  moreAtOpen: number
}

const ONE_COIN = Number(ONE)

export function assumeTrade(
  life: Life,
  { side, quantity, notional, fee }: BacktestTrade,
  open: Units,
): void {
  const share = (of: Units) => Number(of) / Number(INVESTED)
  const bought = side === 'buy' ? share(quantity) : -share(quantity)
  const paid = side === 'buy' ? share(notional) : -share(notional)
  const atOpen = (bought * Number(open)) / ONE_COIN
  life.fee += share(fee)
  life.spread += paid - atOpen
  life.moreBase -= bought
  life.moreAtOpen -= atOpen
}

export function applyTrade(
  life: Life,
  { side, quantity, total, fee, price, cash, base, units }: RecordedChange,
  open: Units,
): void {
  const share = (of: Units) => Number(of) / Number(units) / life.unitValue
  const notional = side === 'buy' ? total - fee : -(total + fee)
  const bought = side === 'buy' ? share(quantity) : -share(quantity)
  const atOpen = (bought * Number(open)) / ONE_COIN
  const atPrice = (bought * Number(price)) / ONE_COIN
  life.fee -= share(fee)
  life.spread -= share(notional) - atPrice
  life.delay -= atPrice - atOpen
  life.moreBase += bought
  life.moreAtOpen += atOpen
  life.cash = share(cash)
  life.base = share(base)
}

export function earnInterest(
  life: Life,
  { interest, cash, units }: RecordedChange & { interest: Units },
): void {
  const share = (of: Units) => Number(of) / Number(units) / life.unitValue
  life.interest += share(interest)
  life.cash = share(cash)
}

export function standingOfLife(
  { cash, base, position, fee, spread, delay, interest, moreBase, moreAtOpen }: Life,
  price: number,
): Standing {
  const real = cash + (base * price) / ONE_COIN
  const backtest =
    (Number(position.cash) + (Number(position.base) * price) / ONE_COIN) / Number(INVESTED)
  const missed = (moreBase * price) / ONE_COIN - moreAtOpen
  return {
    real,
    backtest,
    gap: {
      fee,
      spread,
      delay,
      missed,
      interest,
      rounding: real - backtest - fee - spread - delay - missed - interest,
    },
  }
}
