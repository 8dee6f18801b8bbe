import { expect, test } from 'vitest'
import { TRACE_HOURS, type Price } from '#contract/market.ts'
import { withTicks } from './live-figures.ts'

const AT = '2026-11-22T10:00:00.000Z'
const whole = Array.from({ length: TRACE_HOURS }, (_, hour) => String(hour))
const BTC: Price = {
  name: 'Bitcoin',
  price: '100.0',
  change24h: '1.00',
  trace: whole,
  at: AT,
  stale: false,
}
const tick = { price: '101.0', change24h: '-2.00', at: '2026-11-22T11:00:00.000Z', stale: true }

test('an event changes price, change, time and staleness of its own symbols alone', () => {
  expect(withTicks({ BTC, ETH: BTC }, { BTC: tick })).toEqual({
    BTC: { ...BTC, ...tick },
    ETH: BTC,
  })
})

test('a closed hour is appended to the trace, and the oldest is dropped', () => {
  const closes = [String(TRACE_HOURS)]
  expect(withTicks({ BTC }, { BTC: { ...tick, closes } })['BTC']?.trace).toEqual([
    ...whole.slice(1),
    ...closes,
  ])
})

test('hours that are already known are added once', () => {
  const closes = [...whole.slice(-3), 'new']
  expect(withTicks({ BTC }, { BTC: { ...tick, closes } })['BTC']?.trace).toEqual([
    ...whole.slice(1),
    'new',
  ])
})

test('after a gap the whole trace replaces it', () => {
  const closes = whole.map((close) => `9${close}`)
  expect(withTicks({ BTC }, { BTC: { ...tick, closes } })['BTC']?.trace).toEqual(closes)
})

test('a short trace gets longer', () => {
  expect(
    withTicks({ BTC: { ...BTC, trace: ['1'] } }, { BTC: { ...tick, closes: ['2'] } })['BTC']?.trace,
  ).toEqual(['1', '2'])
})
