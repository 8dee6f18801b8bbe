import { assert } from '#core/assert.ts'
import { minimum, type Units } from '#core/money/amount.ts'
import type { CryptoAsset } from '#core/money/asset.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'
import { NO_BASIS, realize, type Basis } from '#core/pool/trades.ts'
import { isTrade, type BookRow, type MoneyReason, type TradeRow } from './books.ts'

/** Sales of a coin within the year. `proceeds`: after trading fees. */
export type CoinYear = {
  quantity: Units
  proceeds: Units
  /** Cost of the coins sold, first in, first out. */
  fifoCost: Units
  averageCost: Units
}

/** `fees`: paid for all trades of the year, contained in costs and proceeds. */
export type YearSums = {
  money: Record<MoneyReason, Units>
  fees: Units
  coins: Map<CryptoAsset, CoinYear>
}

/** `basis`: by average cost. */
type Holding = { lots: Basis[]; basis: Basis }

/** From `fromMs` on and before `toMs`, market time. */
type Span = { fromMs: number; toMs: number }

/**
 * Sums the rows of a year. Callers must pass the rows of all years, trades in order, because the
 * cost of coins depends on earlier years. Coins of all bots share one cost basis, unlike in a bot's
 * own results.
 */
export function openYear({ fromMs, toMs }: Span): { add: (row: BookRow) => void; sums: YearSums } {
  const sums: YearSums = {
    money: { deposit: 0n, refund: 0n, withdrawal: 0n, interest: 0n, fee: 0n },
    fees: 0n,
    coins: new Map(),
  }
  const holdings = new Map<CryptoAsset, Holding>()
  return {
    sums,
    add: (row) => {
      if (row.atMs >= toMs) return
      const isWithin = row.atMs >= fromMs
      if (isTrade(row)) {
        const costs = hold(holdings, row)
        if (isWithin) addTrade(sums, row, costs)
      } else if (isWithin) sums.money[row.reason] += row.amount
    },
  }
}

type Costs = Pick<CoinYear, 'fifoCost' | 'averageCost'>

/** Changes the holding of the trade's coin. Returns the costs of coins sold. */
function hold(holdings: Map<CryptoAsset, Holding>, row: TradeRow): Costs {
  const { side, coin, coins, total, fee } = row
  const { lots, basis } = holdings.get(coin) ?? { lots: [], basis: NO_BASIS }
  const next = realize(basis, { side, share: { quantity: coins, total, fee } })
  if (side === 'buy') lots.push({ base: coins, cost: total })
  holdings.set(coin, { lots, basis: next.basis })
  return side === 'buy'
    ? { fifoCost: 0n, averageCost: 0n }
    : { fifoCost: takeFirst(lots, coins), averageCost: total - (next.profit ?? 0n) }
}

/** Takes `coins` out of the oldest lots; returns their cost, floored like average cost. */
function takeFirst(lots: Basis[], coins: Units): Units {
  let cost = 0n
  for (let left = coins; left > 0n;) {
    const lot = lots[0]
    assert(lot !== undefined, 'nobody sells more coins than they bought')
    const taken = minimum(left, lot.base)
    const part =
      taken === lot.base
        ? lot.cost
        : multiplyDivideFloor({ a: lot.cost, b: taken, divisor: lot.base })
    if (taken === lot.base) lots.shift()
    else lots[0] = { base: lot.base - taken, cost: lot.cost - part }
    left -= taken
    cost += part
  }
  return cost
}

function addTrade(sums: YearSums, row: TradeRow, { fifoCost, averageCost }: Costs): void {
  sums.fees += row.fee
  if (row.side === 'buy') return
  const before = sums.coins.get(row.coin)
  sums.coins.set(row.coin, {
    quantity: (before?.quantity ?? 0n) + row.quantity,
    proceeds: (before?.proceeds ?? 0n) + row.total,
    fifoCost: (before?.fifoCost ?? 0n) + fifoCost,
    averageCost: (before?.averageCost ?? 0n) + averageCost,
  })
}
