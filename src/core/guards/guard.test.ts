import { inEnglish } from '#core/sentences.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import {
  beginAgain,
  marksAt,
  marksOfChange,
  watch,
  type GuardMarks,
  type Guards,
  type GuardTrip,
} from './guard.ts'
import { guardReason } from './guard-reason.ts'

const NONE: Guards = {
  stopLossBps: null,
  stopLossFrom: 'invested',
  takeProfitBps: null,
  dailyLossBps: null,
  coolDownDays: null,
}
const NOON = 20_000 * DAY_MS + 12 * HOUR_MS
const usd = decimalToUnits

/**
 * Follows a bot of $1,000 from noon on through one worth per hour. Returns the first trip and the
 * last marks.
 */
function follow(
  guards: Partial<Guards>,
  worths: readonly string[],
  fromMs = NOON,
): { trip: GuardTrip | undefined; marks: GuardMarks; hours: number } {
  let marks = marksAt({ worth: usd('1000'), timeMs: fromMs })
  let before = usd('1000')
  for (const [index, text] of worths.entries()) {
    const worth = usd(text)
    const seen = watch({ ...NONE, ...guards }, marks, {
      worth,
      timeMs: fromMs + (index + 1) * HOUR_MS,
      before,
    })
    marks = seen.marks
    before = worth
    if (seen.trip) return { trip: seen.trip, marks, hours: index + 1 }
  }
  return { trip: undefined, marks, hours: worths.length }
}

describe('a guard', () => {
  test('triggers at exactly its percentage, and not a unit before', () => {
    expect(follow({ stopLossBps: 1_000 }, ['900.00000001']).trip).toBeUndefined()
    expect(follow({ stopLossBps: 1_000 }, ['900']).trip).toEqual({
      guard: 'stop-loss',
      changeBps: -1_000,
      backMs: null,
    })
    expect(follow({ takeProfitBps: 2_000 }, ['1199.99999999']).trip).toBeUndefined()
    expect(follow({ takeProfitBps: 2_000 }, ['1200']).trip).toEqual({
      guard: 'take-profit',
      changeBps: 2_000,
      backMs: null,
    })
  })

  test('measures its loss from the money put in, or from the best worth', () => {
    expect(follow({ stopLossBps: 1_000 }, ['1500', '1300']).trip).toBeUndefined()
    expect(
      follow({ stopLossBps: 1_000, stopLossFrom: 'best' }, ['1500', '1351', '1350']).trip,
    ).toMatchObject({ guard: 'trailing-stop', changeBps: -1_000 })
  })

  test('a daily loss is measured from midnight (UTC); the bot is back at the next midnight', () => {
    const worths = [...Array.from({ length: 12 }, (_, hour) => String(1_000 - 3 * hour)), '950']
    const { trip } = follow({ dailyLossBps: 500 }, worths)
    expect(trip).toBeUndefined()
    expect(follow({ dailyLossBps: 500 }, [...worths, '918']).trip).toEqual({
      guard: 'daily-loss',
      changeBps: -507,
      backMs: 20_002 * DAY_MS,
    })
  })

  test('a daily loss is measured from the last close if midnight has none', () => {
    const late = { worth: usd('940'), timeMs: NOON + 13 * HOUR_MS, before: usd('1000') }
    expect(
      watch({ ...NONE, dailyLossBps: 500 }, marksAt({ worth: usd('1100'), timeMs: NOON }), late)
        .trip,
    ).toMatchObject({ changeBps: -600 })
  })

  test('a restarted bot gets new marks, but keeps its start after a daily loss', () => {
    const { trip, marks } = follow({ stopLossBps: 1_000, coolDownDays: 7 }, ['880'])
    expect(trip?.backMs).toBe(NOON + HOUR_MS + 7 * DAY_MS)
    const bot = { worth: usd('870'), timeMs: NOON + 8 * DAY_MS }
    expect(
      beginAgain({ ...NONE, stopLossBps: 1_000 }, marks, { ...bot, stoppedBy: 'stop-loss' }),
    ).toEqual({ marks: marksAt(bot), trip: undefined })
    expect(
      beginAgain({ ...NONE, stopLossBps: 2_000, dailyLossBps: 500 }, marks, {
        ...bot,
        stoppedBy: 'daily-loss',
      }).marks,
    ).toMatchObject({ start: usd('1000'), dayStart: usd('870') })
    expect(
      beginAgain({ ...NONE, stopLossBps: 1_300, dailyLossBps: 500 }, marks, {
        ...bot,
        stoppedBy: 'daily-loss',
      }).trip,
    ).toMatchObject({ guard: 'stop-loss', changeBps: -1_300 })
  })

  test('names itself as the reason of the sale', () => {
    expect(inEnglish(guardReason({ guard: 'stop-loss', changeBps: -1_234 }))).toBe(
      'Stop loss reached: 12.34% below its start. Sold to cash.',
    )
  })
})

const worth = fc.bigInt({ min: 0n, max: 10n ** 15n })
const bps = (most: number) => fc.option(fc.integer({ min: 100, max: most }), { nil: null })
const anyGuards: fc.Arbitrary<Guards> = fc.record({
  stopLossBps: bps(9_000),
  stopLossFrom: fc.constantFrom('invested', 'best'),
  takeProfitBps: bps(100_000),
  dailyLossBps: bps(5_000),
  coolDownDays: fc.option(fc.integer({ min: 1, max: 365 }), { nil: null }),
})

describe('any guards and worths', () => {
  test('a guard is reached exactly when the worth is at its limit or beyond', () => {
    fc.assert(
      fc.property(anyGuards, worth, worth, worth, (guards, start, best, now) => {
        const marks = { start, best, dayStart: start, day: 20_000 }
        const { trip, marks: after } = watch(guards, marks, { worth: now, timeMs: NOON })
        const top = guards.stopLossFrom === 'best' ? (best > now ? best : now) : start
        const isReached = (mark: bigint, wanted: number | null, falls: boolean) =>
          wanted !== null &&
          mark > 0n &&
          (falls
            ? (mark - now) * 10_000n >= mark * BigInt(wanted)
            : (now - mark) * 10_000n >= mark * BigInt(wanted))
        const any =
          isReached(top, guards.stopLossBps, true) ||
          isReached(start, guards.takeProfitBps, false) ||
          isReached(start, guards.dailyLossBps, true)
        expect(trip !== undefined).toBe(any)
        expect(after.best >= marks.best && after.best >= now).toBe(true)
      }),
    )
  })
})

describe('guards that replace others', () => {
  const invested = usd('900')
  const now = { start: usd('1000'), best: usd('1000'), dayStart: usd('1000'), day: 7 }
  const before = { start: usd('800'), best: usd('1300'), dayStart: usd('1100'), day: 7 }

  test.each<[string, Partial<Guards>, number, Partial<GuardMarks>]>([
    ['a stop loss keep its start alone', { stopLossBps: 500 }, 7, {}],
    [
      'a trailing stop keep its best',
      { stopLossBps: 500, stopLossFrom: 'best' },
      7,
      { best: before.best },
    ],
    ['a daily loss keep its day', { dailyLossBps: 500 }, 7, { dayStart: before.dayStart }],
    ['a daily loss of another day begin a new one', { dailyLossBps: 500 }, 6, {}],
  ])('guards that follow %s', (_, guards, day, kept) => {
    expect(
      marksOfChange({ before: { ...NONE, ...guards, ...before, day }, now, invested }),
    ).toEqual({ ...now, start: before.start, ...kept })
  })

  test('set for the first time measure from the money put in', () => {
    expect(marksOfChange({ before: undefined, now, invested })).toEqual({ ...now, start: invested })
  })
})
