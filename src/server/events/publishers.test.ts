import { expect, test } from 'vitest'
import { SILENT_MS, watchPublishers, type Publishers } from './publishers.ts'

const text = (publisher: string, count: number) => ({ publisher, count, isBeat: false })
const beat = (publisher: string, count: number) => ({ publisher, count, isBeat: true })

/** A process that has sent three messages, the last at 0. */
function openHeard(): Publishers {
  const publishers = watchPublishers()
  expect([beat('a', 0), text('a', 1), text('a', 2), text('a', 3)].map((one) => publishers.note(one, 0))).toEqual([true, true, true, true])
  return publishers
}

test('messages that follow each other, and beats in between, have no gap', () => {
  const publishers = openHeard()
  expect([beat('a', 3), text('a', 4), beat('b', 0), beat('a', 4), text('b', 1), text('a', 5)].map((one) => publishers.note(one, 1))).toEqual(Array.from({ length: 6 }, () => true))
  expect(publishers.forgetSilent(SILENT_MS)).toBe(false)
})

test('a message that was not heard is missed by the next message, or by the next beat if none follows', () => {
  expect(openHeard().note(text('a', 5), 1)).toBe(false)
  const publishers = openHeard()
  expect([beat('a', 4), beat('a', 4), text('a', 5)].map((one) => publishers.note(one, 1)), 'each gap is noted once').toEqual([false, true, true])
})

test('a process that was not heard from its beginning may have sent something before', () => {
  expect([beat('a', 0), text('b', 1)].map((one) => watchPublishers().note(one, 0))).toEqual([true, true])
  expect([beat('a', 1), text('b', 2)].map((one) => watchPublishers().note(one, 0))).toEqual([false, false])
})

test('a process that falls silent may have died after a commit; one that said goodbye, or beats, has not', () => {
  const publishers = openHeard()
  publishers.note(beat('b', 0), 0)
  publishers.note(beat('c', 0), SILENT_MS)
  publishers.leave('b')
  expect([SILENT_MS, SILENT_MS + 1, SILENT_MS + 2].map((nowMs) => publishers.forgetSilent(nowMs))).toEqual([false, true, false])
})

test('a process that is heard again after a silence may have lost messages meanwhile, although its count has not changed', () => {
  expect(openHeard().note(beat('a', 3), SILENT_MS + 1)).toBe(false)
  const publishers = openHeard()
  publishers.forgetSilent(SILENT_MS + 1)
  expect(publishers.note(beat('a', 3), SILENT_MS + 2)).toBe(false)
})
