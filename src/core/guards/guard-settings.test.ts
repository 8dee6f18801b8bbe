import { describe, expect, test } from 'vitest'
import { decimalToUnits as usd } from '#core/money/decimal.ts'
import {
  checkGuards,
  GUARD_FIELDS,
  GUARD_LIMITS,
  refuseReached,
  typedOf,
} from './guard-settings.ts'

test.each([undefined, null, {}, { coolDownDays: 7 }, { stopLossPercent: null }])(
  'without a guard, %j sets none',
  (typed) => {
    expect(checkGuards(typed)).toBeUndefined()
  },
)

test('guards are measured from the money put in unless the best worth is chosen', () => {
  expect(checkGuards({ stopLossPercent: 10 })).toEqual({
    stopLossBps: 1_000,
    stopLossFrom: 'invested',
    takeProfitBps: null,
    dailyLossBps: null,
    coolDownDays: null,
  })
  expect(checkGuards({ stopLossPercent: 10, stopLossFrom: 'best' })?.stopLossFrom).toBe('best')
})

test('guards are displayed as they were typed', () => {
  const typed = {
    stopLossPercent: 90,
    stopLossFrom: 'best',
    takeProfitPercent: 1_000,
    dailyLossPercent: 1,
    coolDownDays: 365,
  } as const
  const guards = checkGuards(typed)
  expect(guards && typedOf(guards)).toEqual(typed)
})

describe.each(GUARD_FIELDS)('%s', (field) => {
  const { least, most } = GUARD_LIMITS[field]

  test.each([least - 1, most + 1, least + 0.5, Number.NaN])(
    'a percent of %d is refused under its own name',
    (value) => {
      expect(() => checkGuards({ [field]: value })).toThrow(
        expect.objectContaining({ code: 'invalid-input', field }),
      )
    },
  )

  test.each([least, most])('a percent of %d is accepted', (value) => {
    expect(() => checkGuards({ [field]: value })).not.toThrow()
  })
})

test.each([
  [{ stopLossPercent: 20 }, 'stopLossPercent'],
  [{ stopLossPercent: 30, stopLossFrom: 'best' }, 'stopLossPercent'],
  [{ dailyLossPercent: 10 }, 'dailyLossPercent'],
] as const)('%j, reached already, is refused at %s', (typed, field) => {
  const guards = checkGuards(typed)
  const marks = { start: usd('1000'), best: usd('1200'), dayStart: usd('900'), day: 7 }
  const bot = { worth: usd('800'), invested: usd('1000'), timeMs: 7 * 86_400_000 }
  expect(guards).toBeDefined()
  expect(() => guards && refuseReached(guards, marks, bot)).toThrow(
    expect.objectContaining({ code: 'invalid-input', field }),
  )
})
