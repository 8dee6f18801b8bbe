import type { AccountOptions } from '../exchange-dialect.ts'
import type { ExchangeState } from '../exchange-state.ts'
import { rateOf, type BookRules } from '../orders/book.ts'
import { dividedBy, partsOf, times } from '../orders/decimals.ts'

const PLACES = 8
/** `discount`: a fee paid in BNB is a quarter smaller. */
export const DISCOUNT = '0.25000000'

/**
 * Fees are charged in the asset received (coins of a purchase, money of a sale) or, with the
 * discount, in BNB while there is enough.
 */
export function binanceRules({
  state,
  options,
}: {
  state: ExchangeState
  options: AccountOptions
}): BookRules {
  const next = { order: 9_780_331_417, trade: 3_479_463_557 }
  return {
    costPlaces: PLACES,
    reservesFee: false,
    newId: (kind) => String((next[kind] += 1)),
    feeOf: ({ market, side, cost, volume }, free) => {
      const rate = rateOf(market)
      const bnb = state.markets.get('BNBUSDT')
      if (options.spotBNBBurn === true && bnb !== undefined) {
        const whole = dividedBy({
          of: times({ of: cost, by: rate, places: PLACES }),
          by: partsOf(bnb.lastPrice),
          places: PLACES,
        })
        const by = partsOf('1') - partsOf(DISCOUNT)
        const parts = times({ of: whole, by, places: PLACES })
        if (free('BNB') >= parts) return { asset: 'BNB', parts }
      }
      return side === 'buy'
        ? { asset: market.base, parts: times({ of: volume, by: rate, places: PLACES }) }
        : { asset: market.quote, parts: times({ of: cost, by: rate, places: PLACES }) }
    },
  }
}
