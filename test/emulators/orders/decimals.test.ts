import { expect, test } from 'vitest'
import { dividedBy, partsOf, parseParts, printParts, shareOf, times, worse } from './decimals.ts'

test.each([
  ['0.00123457', '60000.1', '74.07432'],
  ['74.07432', '0.004', '0.29630'],
  ['0.5', '0.00001', '0.00001'],
  ['0.49', '0.00001', '0.00000'],
])('%s times %s is %s; half of the last digit rounds up', (of, by, product) => {
  expect(printParts(times({ of: partsOf(of), by: partsOf(by), places: 5 }), 5)).toBe(product)
})

test('quotients and products are rounded in the same way', () => {
  expect(printParts(dividedBy({ of: partsOf('2'), by: partsOf('3'), places: 5 }), 5)).toBe(
    '0.66667',
  )
})

test('a share is truncated; a worse price is rounded to the next tick against the taker', () => {
  expect(printParts(shareOf(partsOf('0.00000003'), { bps: 5_000, places: 8 }), 8)).toBe(
    '0.00000001',
  )
  expect(printParts(worse(partsOf('60000.1'), { side: 'buy', bps: 1, places: 1 }), 1)).toBe(
    '60006.2',
  )
  expect(printParts(worse(partsOf('60000.1'), { side: 'sell', bps: 1, places: 1 }), 1)).toBe(
    '59994.0',
  )
})

test.each(['', '-1', '1e3', '.5', '1.', ' 1', '0x1', '1,5', '0.00000000001', null])(
  '%j is not an amount',
  (text) => {
    expect(parseParts(text)).toBeUndefined()
  },
)
