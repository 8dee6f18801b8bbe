import { expect, test } from 'vitest'
import type { Price } from '#contract/market.ts'
import { stalePricesSince } from './market-mark.tsx'

const price = (at: string, stale: boolean): Price => ({
  name: 'Bitcoin',
  price: '1.00000000',
  change24h: '0.00',
  trace: [],
  at,
  stale,
})
const [early, late] = ['2026-03-10T14:02:00.000Z', '2026-03-10T14:05:00.000Z']

test('without symbols, the mark says stale only if all prices are', () => {
  expect(stalePricesSince({ BTC: price(late, true), ETH: price(early, true) }, undefined)).toBe(
    early,
  )
  expect(stalePricesSince({ BTC: price(late, false), ETH: price(early, true) }, undefined)).toBe(
    undefined,
  )
  expect(stalePricesSince({}, undefined)).toBe(undefined)
})

test('with symbols, one stale price suffices, and the oldest price gives the time', () => {
  const prices = { BTC: price(late, true), ETH: price(early, true), ADA: price(late, false) }
  expect(stalePricesSince(prices, ['BTC', 'ADA'])).toBe(late)
  expect(stalePricesSince(prices, ['BTC', 'ETH'])).toBe(early)
  expect(stalePricesSince(prices, ['ADA'])).toBe(undefined)
})
