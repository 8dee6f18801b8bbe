import { expect, test } from 'vitest'
import type { Price } from '#contract/market.ts'
import { ticksBetween } from './price-ticks.ts'

const BTC: Price = {
  name: 'Bitcoin',
  price: '100.0',
  change24h: '1.00',
  trace: ['1', '2', '3'],
  at: '2026-11-22T10:00:00.000Z',
  stale: false,
}

test('only the changed last price and its change are sent, not the name or the trace', () => {
  const now = { ...BTC, price: '101.0', change24h: '2.00', at: '2026-11-22T10:00:01.000Z' }
  expect(ticksBetween({ BTC, ETH: BTC }, { BTC: now, ETH: BTC })).toEqual({
    BTC: { price: '101.0', change24h: '2.00', at: now.at, stale: false },
  })
})

test('an hour that closed is sent once, and extends the trace', () => {
  const later = { ...BTC, trace: ['2', '3', '4'], at: '2026-11-22T11:00:00.000Z' }
  expect(ticksBetween({ BTC }, { BTC: later })).toMatchObject({ BTC: { closes: ['4'] } })
  expect(ticksBetween({ BTC: later }, { BTC: { ...later, price: '7' } })['BTC']).not.toHaveProperty(
    'closes',
  )
})

test('a price that becomes stale is sent although it is unchanged', () => {
  expect(ticksBetween({ BTC }, { BTC: { ...BTC, stale: true } })).toMatchObject({
    BTC: { stale: true },
  })
})

test('without an earlier answer every field that can change is sent', () => {
  expect(ticksBetween({}, { BTC })).toEqual({
    BTC: { price: '100.0', change24h: '1.00', at: BTC.at, stale: false, closes: ['1', '2', '3'] },
  })
})
