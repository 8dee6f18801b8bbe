import type { BotHoldings, HeldPools, PoolStates } from '#contract/holdings.ts'
import type { Prices } from '#contract/market.ts'
import type { BotHoldings as Held, PricedPool } from '#core/bots/bot-worth.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { EMPTY_POOL } from '#core/pool/pool.ts'

/** The last prices, and states of pools that may be newer than those of an answer. */
export type MarketNow = { prices: Prices; states: PoolStates }

/** Market time of the latest price; undefined without prices. */
export function timeOfPrices(prices: Prices): string | undefined {
  return Object.values(prices)
    .map(({ at }) => at)
    .toSorted()
    .at(-1)
}

/** A coin without a price yet counts as nothing, as it does on the server. */
export function priceOf(prices: Prices, pair: Pair): Units {
  return decimalToUnits(prices[baseOf(pair)]?.price ?? '0')
}

/**
 * The pools of an answer in the newest states that are known. An answer that is valued with them
 * keeps them.
 */
export function newestPools(pools: HeldPools, states: PoolStates): HeldPools {
  return Object.fromEntries(
    Object.entries(pools).map(([id, held]) => {
      const state = states[id]
      return [id, state && state.number > held.number ? { ...held, ...state } : held]
    }),
  )
}

/** Pools at the last prices. */
export function pricedPools(pools: HeldPools, prices: Prices): Map<number, PricedPool> {
  return new Map(
    Object.entries(pools).map(([id, { cash, base, units, pair }]) => [
      Number(id),
      {
        ...EMPTY_POOL,
        cash: decimalToUnits(cash),
        base: decimalToUnits(base),
        units: BigInt(units),
        price: priceOf(prices, pair),
      },
    ]),
  )
}

export function heldBy({ cash, sleeves }: BotHoldings): Held {
  const own = Object.entries(sleeves).map(([id, { units, base = '0' }]) => ({
    pool: Number(id),
    units: BigInt(units),
    base: decimalToUnits(base),
  }))
  return { cash: decimalToUnits(cash), sleeves: own }
}
