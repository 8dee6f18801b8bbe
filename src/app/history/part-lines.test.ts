import { expect, test } from 'vitest'
import { partText } from './part-lines.tsx'

test.each([
  ['1', '1', '100.00%'],
  ['1', '4', '25.00%'],
  ['1', '3', '33.333333%'],
  ['1', '1000000', '0.0001%'],
  ['12345678901234567890123', '98765432109876543210987', '12.499999%'],
  ['1', '100000000', '0.000001%'],
  ['1', '100000001', 'below 0.000001%'],
])('a weight of %s out of %s is %s', (weight, whole, text) => {
  expect(partText({ weight, whole })).toBe(text)
})
