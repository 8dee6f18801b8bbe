import { afterEach, expect, test } from 'vitest'
import { setLanguageSource } from '#words/language.ts'
import { datesIn } from './dates.ts'

const AT = '2026-03-05T13:05:22.000Z'

const texts = (timeZone: string | null) => {
  const { dayText, momentText, shortDayText, monthText, shortMomentText, clockText } =
    datesIn(timeZone)
  return [
    dayText(AT),
    momentText(AT),
    shortDayText(AT),
    monthText(AT),
    shortMomentText(AT),
    clockText(AT),
  ]
}

afterEach(() => setLanguageSource(() => 'en'))

test('dates are printed in the language and the time zone of the reader', () => {
  expect(texts('UTC')).toEqual([
    'Mar 5, 2026',
    'Mar 5, 2026, 13:05',
    'Mar 5',
    'Mar 2026',
    'Mar 5, 13:05',
    '13:05',
  ])
  setLanguageSource(() => 'de')
  expect(texts('Europe/Berlin')).toEqual([
    '05.03.2026',
    '05.03.2026, 14:05',
    '5. März',
    'März 2026',
    '5. März, 14:05',
    '14:05',
  ])
})

test("times are in UTC, and labelled so, until the reader's time zone is known", () => {
  expect(texts(null)).toEqual([
    'Mar 5, 2026',
    'Mar 5, 2026, 13:05 UTC',
    'Mar 5',
    'Mar 2026',
    'Mar 5, 13:05 UTC',
    '13:05 UTC',
  ])
  setLanguageSource(() => 'de')
  expect(texts(null)).toEqual([
    '05.03.2026',
    '05.03.2026, 13:05 UTC',
    '5. März',
    'März 2026',
    '5. März, 13:05 UTC',
    '13:05 UTC',
  ])
})

test('the hours of a German time have two digits', () => {
  setLanguageSource(() => 'de')
  const { momentText, shortMomentText, clockText } = datesIn('UTC')
  const early = '2026-03-05T01:03:00.000Z'
  expect([momentText(early), shortMomentText(early), clockText(early)]).toEqual([
    '05.03.2026, 01:03',
    '5. März, 01:03',
    '01:03',
  ])
})
