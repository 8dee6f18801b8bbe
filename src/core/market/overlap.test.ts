import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overlap } from './overlap.ts'

test.each([
  [['1', '2', '3'], ['1', '2', '3'], 3],
  [['1', '2', '3'], ['2', '3', '4'], 2],
  [['1', '2', '3'], ['4', '5'], 0],
  [['1', '2'], ['2'], 1],
  [[], ['1'], 0],
  [['1'], [], 0],
  [['1', '1'], ['1', '1', '2'], 2],
])('%j and %j share %d items', (before, after, common) =>
  expect(overlap(before, after)).toBe(common),
)

test('the items after the common part turn the earlier window into the later one', () => {
  const history = fc.uniqueArray(fc.nat().map(String), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(history, fc.nat(60), fc.nat(24), (all, from, steps) => {
      const window = (end: number) => all.slice(Math.max(0, end - 24), end)
      const [before, after] = [
        window(Math.min(from, all.length)),
        window(Math.min(from + steps, all.length)),
      ]
      const added = after.slice(overlap(before, after))
      expect([...before, ...added].slice(-24).slice(-after.length)).toEqual(after)
    }),
  )
})
