import { expect, test } from 'vitest'
import { scaleOf } from './curve.ts'
import { percentTicks } from './percent-ticks.ts'

const [at, later] = ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z']

test.each([
  ['-3.10', '1.40', ['−2.00%', '0.00%']],
  ['0.00', '62.00', ['0.00%', '+50.00%']],
  ['-0.30', '0.20', ['−2.00%', '0.00%']],
])('a scale of growth from %s to %s percent shows %j', (low, high, expected) => {
  const growth = [
    { at, value: low },
    { at: later, value: high },
  ]
  expect(percentTicks(scaleOf([growth], '100')).map(({ text }) => text)).toEqual(expected)
})
