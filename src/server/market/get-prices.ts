import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'

export const getPrices: Handler<'getPrices'> = async ({ market }) => {
  const prices = market.prices()
  if (Object.keys(prices).length === 0) throw new Refusal('market-unavailable')
  return prices
}
