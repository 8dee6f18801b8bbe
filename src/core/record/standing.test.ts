import { expect, test } from 'vitest'
import { AT_START, gapFigures } from './standing.ts'

test('the shown parts of a gap add up to the shown total', () => {
  const third = 1 / 3 / 10_000
  const gap = { ...AT_START.gap, fee: -third, spread: -third, interest: -third }
  expect(gapFigures({ real: 1, backtest: 1 + 3 * third, gap })).toEqual({
    total: '-1.0',
    fee: '-0.3',
    spread: '-0.3',
    delay: '0.0',
    missed: '0.0',
    interest: '-0.3',
    rounding: '-0.1',
  })
})
