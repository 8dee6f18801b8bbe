import { randomInt } from 'node:crypto'
import { rateOf, type BookRules, type Order } from '../orders/book.ts'
import { times } from '../orders/decimals.ts'

/** `cost_decimals` of AssetPairs. */
export const COST_PLACES = 5
const COIN_PLACES = 10

/**
 * Kraken takes the fee in the asset that the order names, and in money if there is too little of
 * that coin.
 */
export const KRAKEN_RULES: BookRules = {
  costPlaces: COST_PLACES,
  reservesFee: true,
  newId: (kind) => newId(kind === 'order' ? 'O' : 'T'),
  feeOf: (trade, free) => {
    const { market, side, volume, cost } = trade
    const rate = rateOf(market)
    const coins = times({ of: volume, by: rate, places: COIN_PLACES })
    const isInCoin = feeSideOf(trade) === 'base' && (side === 'buy' || free(market.base) >= coins)
    return isInCoin
      ? { asset: market.base, parts: coins }
      : { asset: market.quote, parts: times({ of: cost, by: rate, places: COST_PLACES }) }
  },
}

/**
 * The asset in which the order requests its fee. Default: money for a purchase, coins for a sale.
 */
export function feeSideOf({ side, feeIn }: Pick<Order, 'side' | 'feeIn'>): 'base' | 'quote' {
  return feeIn ?? (side === 'sell' ? 'base' : 'quote')
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 'OQCLML-BW3P3-BUCMWZ': an order's begins with O, a trade's with T. */
function newId(kind: 'O' | 'T'): string {
  const letters = (count: number) =>
    Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${kind}${letters(5)}-${letters(5)}-${letters(6)}`
}
