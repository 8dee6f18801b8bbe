import { randomUUID } from 'node:crypto'
import { rateOf, type BookRules } from '../orders/book.ts'
import { times } from '../orders/decimals.ts'

/** Decimals of the money. Costs are exact, fees are rounded to the tenth decimal. */
const PLACES = 10

export const COINBASE_RULES: BookRules = {
  costPlaces: PLACES,
  reservesFee: true,
  newId: () => randomUUID(),
  feeOf: ({ market, cost }) => ({
    asset: market.quote,
    parts: times({ of: cost, by: rateOf(market), places: PLACES }),
  }),
}
