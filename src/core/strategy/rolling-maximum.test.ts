import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maximumOf, pushValue, rollingMaximum } from './rolling-maximum.ts'

test('the rolling maximum is the highest of the last n values, for each n', () => {
  const values = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 120 })
  fc.assert(
    fc.property(values, (pushed) => {
      const lookbacks = [1, 3, 7, 40]
      const rolling = rollingMaximum(lookbacks)
      for (const [index, value] of pushed.entries()) {
        pushValue(rolling, value)
        const expected = lookbacks.map((lookback) =>
          Math.max(...pushed.slice(Math.max(0, index + 1 - lookback), index + 1)),
        )
        expect(lookbacks.map((_, which) => maximumOf(rolling, which))).toEqual(expected)
      }
    }),
  )
})
