import { expect, test } from 'vitest'
import type { BotDay } from './bot-day.ts'
import { expectedFall, isForecaster } from './expected-fall.ts'

/** A forecast from 365 days, with falls from 0.001 to 0.365 in steps of 0.001. */
const LOWS = Array.from({ length: 365 }, (_, index) => (index - 365) / 1_000)
const DAY: BotDay = { ends: LOWS, lows: LOWS, highs: LOWS }

test('a frequency is within 5.1 percentage points of that of the recorded days', () => {
  for (let thousandths = 1; thousandths <= 365; thousandths += 1) {
    const recorded = (366 - thousandths) / 365
    const { days, of } = expectedFall(DAY, thousandths / 1_000)
    expect(Math.abs(days / of - recorded), `${thousandths}`).toBeLessThanOrEqual(0.051)
    expect(days).toBeGreaterThan(0)
  }
  expect(expectedFall(DAY, 0.347)).toEqual({ days: 1, of: 19 })
  expect(expectedFall(DAY, 0.365)).toEqual({ days: 1, of: 365 })
  expect(expectedFall(DAY, 0.2)).toEqual({ days: 5, of: 10 })
  expect(expectedFall(DAY, 0.001)).toEqual({ days: 10, of: 10 })
})

test('a larger fall never has a higher frequency', () => {
  const said = LOWS.map((low) => expectedFall(DAY, -low)).map(({ days, of }) => days / of)
  expect(said).toEqual(said.toSorted((one, other) => one - other))
  expect(new Set(said).size).toBeGreaterThan(20)
})

test('a fall larger than that of any day happened on 0 of the days', () => {
  expect(expectedFall(DAY, 0.366)).toEqual({ days: 0, of: 365 })
})

test('a model that rests, or was trained after the day began, gives no expected fall', () => {
  expect(isForecaster({ trainedUntilMs: 5 }, 5)).toBe(true)
  expect(isForecaster({ trainedUntilMs: 6 }, 5)).toBe(false)
  const resting = { a: 0, b: [], scale: 1, moves: [], falls: [] }
  expect(isForecaster({ trainedUntilMs: 5, resting }, 5)).toBe(false)
})
