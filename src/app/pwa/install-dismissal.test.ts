import { expect, test } from 'vitest'
import { isHiddenAt } from './install-dismissal.ts'

const dismissedAt = '2026-11-21T12:00:00.000Z'

test.each([
  ['never dismissed', null, '2026-11-21T12:00:00.000Z', false],
  ['just now', dismissedAt, '2026-11-21T12:00:00.000Z', true],
  ['a millisecond before seven days', dismissedAt, '2026-11-28T11:59:59.999Z', true],
  ['seven days ago', dismissedAt, '2026-11-28T12:00:00.000Z', false],
  ['a year ago', dismissedAt, '2027-11-21T12:00:00.000Z', false],
  ['in the future, by a clock that was set back', dismissedAt, '2026-11-21T11:59:59.999Z', false],
  ['at an invalid time', 'yesterday', '2026-11-21T12:00:00.000Z', false],
])('an install card dismissed %s', (_when, at, now, hidden) => {
  expect(isHiddenAt({ dismissedAt: at, now: new Date(now) })).toBe(hidden)
})
