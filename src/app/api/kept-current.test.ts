import { expect, test } from 'vitest'
import { CHANGED } from './follow-events.ts'
import { KEPT_CURRENT } from './kept-current.ts'

test('the stream keeps current the queries that an event makes old, and prices', () => {
  expect(KEPT_CURRENT).toEqual(
    new Set(['getPrices', ...Object.values(CHANGED).flatMap(Object.keys)]),
  )
})
