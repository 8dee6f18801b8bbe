import type { BalanceCurve, Portfolio } from '#contract/market.ts'
import { curveTo, gainOfDay, gainOfRange } from '#app/api/curve-to.ts'
import type { TestUser } from './world.ts'

/** A portfolio with its past, and the changes that the home screen shows. */
export function withCurve(portfolio: Portfolio, past: BalanceCurve) {
  const curve = curveTo(past, portfolio)
  return { ...portfolio, ...curve, change: gainOfRange(curve), dailyChange: gainOfDay(curve) }
}

export async function portfolioOf(user: TestUser, range: BalanceCurve['range'] = 'All') {
  const past = await user.call('getBalanceCurve', { query: { range } })
  return withCurve(await user.call('getPortfolio'), past)
}
