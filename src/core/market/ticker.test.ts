import { expect, test } from 'vitest'
import { decimalToUnits } from '#core/money/decimal.ts'
import { change24h } from './ticker.ts'

const change = (price: string, before: string) =>
  change24h({
    pair: 'BTC/USDT',
    price: decimalToUnits(price),
    previousPrice24h: decimalToUnits(before),
  })

test.each([
  ['61000', '60000', '1.66'],
  ['60000', '60000', '0.00'],
  ['59000', '60000', '-1.66'],
  ['59999.999', '60000', '0.00'],
  ['0.00000002', '0.00000001', '100.00'],
])(
  'a price of %s after %s is a change of %s percent, truncated toward zero',
  (price, before, percent) => {
    expect(change(price, before)).toBe(percent)
  },
)

test('a previous price of zero is a bug', () => {
  expect(() => change('1', '0')).toThrow('above 0')
})
