import { afterEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { inGerman } from '#words/german.ts'
import { setLanguageSource } from '#words/language.ts'
import { addTranslator } from '#words/words.ts'
import { countedTime, speedTexts, timeBefore } from './market-time.ts'

const START_MS = Date.UTC(2026, 10, 22, 6)
const { dayText, momentText, tickText, periodText } = countedTime({
  start: new Date(START_MS).toISOString(),
})
const after = (ms: number) => new Date(START_MS + ms).toISOString()

afterEach(() => setLanguageSource(() => 'en'))

test('a simulated market begins on Day 1 at 00:00, whatever the hour of the real day', () => {
  expect(momentText(after(0))).toBe('Day 1, 00:00')
  expect(momentText(after(14 * HOUR_MS + 59_999))).toBe('Day 1, 14:00')
  expect(momentText(after(11 * DAY_MS + 14 * HOUR_MS + 5 * 60_000))).toBe('Day 12, 14:05')
  expect(dayText(after(DAY_MS - 1))).toBe('Day 1')
  expect(dayText(after(3_652 * DAY_MS))).toBe('Day 3,653')
})

test('days before the start count downwards', () => {
  expect(momentText(after(-1))).toBe('1 day before Day 1, 23:59')
  expect(momentText(after(-HOUR_MS))).toBe('1 day before Day 1, 23:00')
  expect(dayText(after(-DAY_MS - 1))).toBe('2 days before Day 1')
  expect(tickText(after(-DAY_MS - 1), 30 * DAY_MS)).toBe('2 days before')
  expect(tickText(after(-1), 2 * DAY_MS)).toBe('1 day before, 23:59')
  expect(periodText(after(0), after(30 * DAY_MS))).toBe('Day 1 – Day 31')
})

test('a replay shows how long ago its days were', () => {
  const replay = timeBefore(after(2 * DAY_MS + HOUR_MS), { start: after(0) })
  expect(
    [-30 * DAY_MS, DAY_MS + HOUR_MS, DAY_MS + 2 * HOUR_MS, 2 * DAY_MS + HOUR_MS].map((ms) =>
      replay.dayText(after(ms)),
    ),
  ).toEqual(['32 days ago', '1 day ago', 'now', 'now'])
  expect([-30 * DAY_MS, 2 * DAY_MS].map((ms) => replay.momentText(after(ms)))).toEqual([
    '32 days ago, 00:00',
    'less than a day ago',
  ])
  expect(replay.periodText(after(-30 * DAY_MS), after(0))).toBe('30 market days')
})

test('a tick names the hour if the chart is short', () => {
  expect(tickText(after(DAY_MS), DAY_MS)).toBe('Day 2, 00:00')
  expect(tickText(after(DAY_MS), 7 * DAY_MS)).toBe('Day 2')
})

test('the speed of the market says how much of its time passes in a second', () => {
  const texts = [1, 0, 0.5, 10, 60, 90, 1_800, 3_600, 5_000, 86_400, 100_000].map(speedTexts)
  expect(texts.map((text) => text?.shown)).toEqual([
    undefined,
    undefined,
    '1 s = 0.5 s',
    '1 s = 10 s',
    '1 s = 1 min',
    '1 s = 1.5 min',
    '1 s = 30 min',
    '1 s = 1 h',
    '1 s = 1.4 h',
    '1 s = 1 day',
    '1 s = 1.2 days',
  ])
  expect(texts.flatMap((text) => text?.spoken ?? [])).toEqual([
    '1 second is 0.5 seconds',
    '1 second is 10 seconds',
    '1 second is 1 minute',
    '1 second is 1.5 minutes',
    '1 second is 30 minutes',
    '1 second is 1 hour',
    '1 second is 1.4 hours',
    '1 second is 1 day',
    '1 second is 1.2 days',
  ])
})

test('in German, days and speeds have German words, commas and points', () => {
  addTranslator('de', inGerman)
  setLanguageSource(() => 'de')
  const replay = timeBefore(after(1_000 * DAY_MS), { start: after(0) })
  expect([
    momentText(after(3_652 * DAY_MS + 14 * HOUR_MS)),
    periodText(after(0), after(DAY_MS)),
  ]).toEqual(['Tag 3.653, 14:00', 'Tag 1 – Tag 2'])
  expect([0, 999, 1_000].map((days) => replay.dayText(after(days * DAY_MS)))).toEqual([
    'vor 1.000 Tagen',
    'vor 1 Tag',
    'jetzt',
  ])
  expect([90, 86_400, 100_000].map(speedTexts)).toEqual([
    { shown: '1 s = 1,5 min', spoken: '1 Sekunde ist 1,5 Minuten' },
    { shown: '1 s = 1 Tag', spoken: '1 Sekunde ist 1 Tag' },
    { shown: '1 s = 1,2 Tage', spoken: '1 Sekunde ist 1,2 Tage' },
  ])
})
