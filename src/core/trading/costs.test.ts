import { expect, test } from 'vitest'
import { DEFAULT_COSTS, totalCostBps } from './costs.ts'

test('a trade costs 17 basis points by default', () => {
  expect(totalCostBps(DEFAULT_COSTS)).toBe(17)
})
