import { randomUUID } from 'node:crypto'
import { rateOf, type BookRules } from '../orders/book.ts'
import { times } from '../orders/decimals.ts'

/** The money has more decimals than our parts: costs are exact, fees rounded to the tenth. */
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
