import { assert } from '../assert.ts'
import { ONE, type Units } from '../money/amount.ts'
import { CRYPTO_ASSETS, type Asset, type CryptoAsset } from '../money/asset.ts'
import { multiplyDivideFloor } from '../money/rounding.ts'
import type { Fill, Side } from './fill.ts'

/** An asset that the exchange took from the house as a fee, in units of it. */
export type HouseFee = { asset: Asset; amount: Units }

type Executed = {
  side: Side
  base: CryptoAsset
  /** `quantity`: units of base traded, above 0. `notional`: units of dollars. */
  quantity: Units
  notional: Units
  /** By asset. Fees in assets unknown to the product are not booked. */
  fees: ReadonlyMap<string, Units>
}

/**
 * Turns an execution into a fill, so that the book and the exchange agree to the last unit. A fee
 * paid in the coins of a purchase reduces the coins that arrive; its value in dollars is booked as
 * fee. The house pays fees in assets that the order does not trade.
 */
export function bookExecution({ side, base, quantity, notional, fees }: Executed): {
  fill: Fill
  houseFees: HouseFee[]
} {
  const inCoins = side === 'buy' ? (fees.get(base) ?? 0n) : 0n
  assert(inCoins < quantity, 'a fee is smaller than the order')
  const net = quantity - inCoins
  const worth = multiplyDivideFloor({ a: notional, b: inCoins, divisor: quantity })
  const houseFees = CRYPTO_ASSETS.flatMap((asset) => {
    const amount = fees.get(asset) ?? 0n
    return amount === 0n || (asset === base && side === 'buy') ? [] : [{ asset, amount }]
  })
  const fill: Fill = {
    side,
    quantity: net,
    price: multiplyDivideFloor({ a: notional - worth, b: ONE, divisor: net }),
    notional: notional - worth,
    fee: worth + (fees.get('USD') ?? 0n),
  }
  return { fill, houseFees }
}
