import { expect, test } from 'vitest'
import type { Price } from '#contract/market.ts'
import { staleSince } from './stale-since.ts'

const price = (at: string, stale: boolean): Price => ({ name: 'Bitcoin', price: '1.00000000', change24h: '0.00', trace: [], at, stale })
const [early, late] = ['2026-03-10T14:02:00.000Z', '2026-03-10T14:05:00.000Z']

test('prices are old as a whole only where every one of them is', () => {
  expect(staleSince({ BTC: price(late, true), ETH: price(early, true) }, undefined)).toBe(early)
  expect(staleSince({ BTC: price(late, false), ETH: price(early, true) }, undefined)).toBe(undefined)
  expect(staleSince({}, undefined)).toBe(undefined)
})

test('whoever looks at some pairs hears of the first of them that is old', () => {
  const prices = { BTC: price(late, true), ETH: price(early, true), ADA: price(late, false) }
  expect(staleSince(prices, ['BTC', 'ADA'])).toBe(late)
  expect(staleSince(prices, ['BTC', 'ETH'])).toBe(early)
  expect(staleSince(prices, ['ADA'])).toBe(undefined)
})
