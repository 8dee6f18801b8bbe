import { expect, test } from 'vitest'
import { reachedText } from './reached-text.ts'

test.each([
  [{ reached: 67, reachedPercent: '4.50' }, 1_487, 'Reached by 1 start in 22.'],
  [{ reached: 1, reachedPercent: '0.06' }, 1_487, 'Reached by 1 start in 1,487.'],
  [{ reached: 0, reachedPercent: '0.00' }, 1_487, 'Reached by none of 1,487 starts.'],
  [{ reached: 900, reachedPercent: '60.52' }, 1_487, 'Reached by 60.52% of starts.'],
])('%o of %i starts', (level, starts, sentence) => {
  expect(reachedText(level, starts)).toBe(sentence)
})
