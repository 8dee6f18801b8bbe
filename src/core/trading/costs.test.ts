import { expect, test } from 'vitest'
import { DEFAULT_COSTS, totalCostBps, VENUE_COSTS, type VenueName } from './costs.ts'

test.each<[VenueName, number]>([
  ['binance', 17],
  ['kraken', 47],
  ['coinbase', 127],
])('a trade at %s costs %i basis points', (venue, bps) => {
  expect(totalCostBps(VENUE_COSTS[venue])).toBe(bps)
})

test('recorded candles have the costs of the exchange that they come from', () => {
  expect(DEFAULT_COSTS).toEqual(VENUE_COSTS.binance)
})
