import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { botDay, chanceOfBotFall, chanceOfBotRise, rangeOfBot, standardPaths } from './bot-day.ts'
import { AHEAD, type PastDay } from './rows.ts'

const NOW_MS = 1_000 * DAY_MS
/** The swing for a variance of 1 an hour, which is the forecast of each past day. */
const SWING = Math.sqrt(AHEAD)
const MODEL = { a: 0, b: [], scale: 1 }

const pastDay = (back: number, move: number): PastDay => ({
  plain: 1,
  features: [],
  timeMs: NOW_MS - back * DAY_MS,
  knownAtMs: NOW_MS - (back - 1) * DAY_MS,
  target: 1,
  path: Float64Array.from({ length: AHEAD }, (_, hour) => (move * SWING * (hour + 1)) / AHEAD),
  move: move * SWING,
  fall: 0,
})

/** Moves from −1 to +1 swing, one for each of the last 365 days. */
const moveOf = (back: number) => ((back * 72) % 365) / 182 - 1
const daysOf = (of: (back: number) => number, count = 365) =>
  Array.from({ length: count }, (_, index) => pastDay(index + 1, of(index + 1)))
const coinOf = (days: readonly PastDay[], share = 1) => ({
  share,
  swing: 0.1,
  paths: standardPaths(MODEL, days),
})
const dayOf = (...coins: ReturnType<typeof coinOf>[]) => botDay(coins, NOW_MS + DAY_MS / 2)

test('past moves are scaled to the swing that is forecast now', () => {
  const day = dayOf(coinOf(daysOf(moveOf)))
  const { low, high } = day ? rangeOfBot(day) : { low: 0, high: 0 }
  expect(low).toBeCloseTo(Math.expm1(-0.08), 2)
  expect(high).toBeCloseTo(Math.expm1(0.08), 2)
  expect(day && chanceOfBotFall(day, 0.05)).toBeCloseTo(0.24, 2)
  expect(day && chanceOfBotRise(day, 0.05)).toBeCloseTo(0.255, 2)
})

test('a bot half in cash moves half as much', () => {
  const whole = dayOf(coinOf(daysOf(moveOf)))
  const half = dayOf(coinOf(daysOf(moveOf), 0.5))
  expect(half?.ends).toEqual(whole?.ends.map((end) => end / 2))
})

test('coins that moved against each other make a calm bot', () => {
  const opposite = coinOf(
    daysOf((back) => -moveOf(back)),
    0.5,
  )
  const day = dayOf(coinOf(daysOf(moveOf), 0.5), opposite)
  const { low, high } = day ? rangeOfBot(day) : { low: 1, high: 1 }
  expect(low).toBeGreaterThanOrEqual(0)
  expect(high).toBeLessThan(0.01)
})

test('the lowest close of the day counts as a fall, not only the last', () => {
  const days = daysOf(moveOf).map((day) => ({ ...day, path: day.path.with(3, -SWING) }))
  const day = dayOf(coinOf(days))
  expect(day && chanceOfBotFall(day, 0.09)).toBe(1)
  expect(day?.ends).toEqual(dayOf(coinOf(daysOf(moveOf)))?.ends)
})

test('the highest close of the day decides a rise, and a rise of exactly that size counts', () => {
  const days = daysOf(moveOf).map((day) => ({ ...day, path: day.path.with(3, 2 * SWING) }))
  const day = dayOf(coinOf(days))
  expect(day && chanceOfBotRise(day, 0.2)).toBe(1)
  const highs = [0.01, 0.05, 0.05, 0.06]
  expect(chanceOfBotRise({ ends: highs, lows: highs, highs }, 0.05)).toBe(0.75)
})

test('at most the last 365 days are used', () =>
  expect(dayOf(coinOf(daysOf(moveOf, 400)))?.ends.length).toBe(365))

test('days that are not over, or whose outcome came late, are left out', () => {
  const known = daysOf(moveOf)
  const running = { ...pastDay(0, -9), timeMs: NOW_MS }
  expect(dayOf(coinOf([...known, running]))).toEqual(dayOf(coinOf(known)))
  const late = known.map((day, index) =>
    index === 0 ? { ...day, knownAtMs: day.knownAtMs + DAY_MS } : day,
  )
  expect(dayOf(coinOf(late))).toEqual(dayOf(coinOf(known.slice(1))))
})

test('a bot whose coins share fewer than 250 past days has no range', () => {
  const long = coinOf(daysOf(moveOf), 0.5)
  expect(dayOf(long, coinOf(daysOf(moveOf, 250), 0.5))?.ends.length).toBe(250)
  expect(dayOf(long, coinOf(daysOf(moveOf, 249), 0.5))).toBeUndefined()
})
