import { expect, test } from 'vitest'
import { reconnectDelayMs } from './event-stream.ts'

test('the delay doubles with each failure, up to 30 seconds, and half of it is random', () => {
  const waits = (random: number) =>
    Array.from({ length: 8 }, (_, failures) => reconnectDelayMs(failures, random))
  expect(waits(1)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  expect(waits(0)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
})
