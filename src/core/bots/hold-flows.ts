import { required } from '#core/assert.ts'
import type { CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { multiplyDivideFloor, valueFloor } from '#core/money/rounding.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { splitInvestment } from '#core/trading/position.ts'
import { FULL_EXPOSURE_BPS, planOrder } from '#core/trading/rebalance.ts'
import type { MoneyMove } from './growth.ts'
import type { HoldHoldings } from './hold-worth.ts'
import { lastClose, type Flow, type PoolPast } from './value-curve.ts'

type HoldInput = {
  pairs: readonly Pair[]
  seriesOf: (pair: Pair) => CandleSeries
  costs: TradingCosts
  /** In order of time, starting with the investment. */
  moves: readonly MoneyMove[]
}

/**
 * Input of `valueCurve`, with each pair as a pool without marks. `held`: holdings after all flows.
 */
type HoldFlows = { flows: Flow[]; pools: Map<number, PoolPast>; held: HoldHoldings }

/**
 * Buy and hold with the same money in and out as a bot. Money in is split over the pairs and buys
 * at the last close, costs included; money out is taken from all holdings in proportion to their
 * value.
 */
export function holdFlows({ pairs, seriesOf, costs, moves }: HoldInput): HoldFlows {
  const held: Held = { cash: 0n, base: pairs.map(() => 0n) }
  const markets = pairs.map(seriesOf)
  const flows = moves.flatMap(({ timeMs, amount }) => {
    const prices = markets.map((series) => lastClose(series, timeMs))
    const bought =
      amount > 0n ? buy(amount, { prices, costs }) : release(held, { amount: -amount, prices })
    held.cash += bought.cash
    held.base = held.base.map((base, place) => base + (bought.base[place] ?? 0n))
    return flowsOf(bought, timeMs)
  })
  const coins = new Map(pairs.map((pair, place) => [pair, held.base[place] ?? 0n]))
  return {
    flows,
    pools: new Map(pairs.map((pair, place) => [place, { pair, marks: [] }])),
    held: { cash: held.cash, coins },
  }
}

type Held = { cash: Units; base: readonly Units[] }

function flowsOf({ cash, base }: Held, timeMs: number): Flow[] {
  const coins = base
    .map((quantity, pool): Flow => ({ timeMs, cash: 0n, pool, base: quantity }))
    .filter((flow) => flow.base !== 0n)
  return cash === 0n ? coins : [{ timeMs, cash }, ...coins]
}

/** Money that an order cannot spend stays cash, and so does the part of a pair without a price. */
function buy(
  amount: Units,
  { prices, costs }: { prices: readonly Units[]; costs: TradingCosts },
): Held {
  const parts = splitInvestment({ invested: amount, count: prices.length })
  const fills = prices.map((price, place) => {
    const position = {
      cash: required(parts[place], 'a part for each pair'),
      base: 0n,
      appliedBps: 0,
    }
    const order =
      price > 0n ? planOrder({ position, exposureBps: FULL_EXPOSURE_BPS, price, costs }) : undefined
    return order && paperFill({ ...order, price, costs })
  })
  const paid = fills.reduce((sum, fill) => (fill ? sum + cashMoved(fill) : sum), 0n)
  return { cash: amount - paid, base: fills.map((fill) => fill?.quantity ?? 0n) }
}

/** Takes `amount` out of the holdings. If they are worth less, nothing is left. */
function release(
  { cash, base }: Held,
  { amount, prices }: { amount: Units; prices: readonly Units[] },
): Held {
  const worth = base.reduce(
    (sum, quantity, place) => sum + valueFloor({ quantity, price: prices[place] ?? 0n }),
    cash,
  )
  const leaves = (held: Units): Units =>
    -(amount < worth ? multiplyDivideFloor({ a: held, b: amount, divisor: worth }) : held)
  return { cash: leaves(cash), base: base.map(leaves) }
}
