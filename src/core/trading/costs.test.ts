import { expect, test } from 'vitest'
import { totalCostBps, VENUE_COSTS, type VenueName } from './costs.ts'

test.each<[VenueName, number]>([
  ['binance', 17],
  ['kraken', 47],
  ['coinbase', 127],
])('a trade at %s costs %i basis points', (venue, bps) => {
  expect(totalCostBps(VENUE_COSTS[venue])).toBe(bps)
})
