import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { ONE } from '#core/money/amount.ts'
import { partOf } from '#core/trading/performance-fee.ts'
import {
  checkPlan,
  nextPeriod,
  periodStart,
  planStep,
  PLAN_PERIODS,
  type PlanState,
} from './savings-plan.ts'

const at = (text: string): number => Date.parse(text)
const dates = (start: string, every: 'week' | 'month', count: number) =>
  Array.from({ length: count }, (_, period) =>
    new Date(periodStart({ startMs: at(start), every }, period)).toISOString(),
  )

test.each([
  [
    'on the same day of each month, at the same time',
    '2024-11-15T09:30:00Z',
    ['2024-11-15T09:30', '2024-12-15T09:30', '2025-01-15T09:30', '2025-02-15T09:30'],
  ],
  [
    'on the last day of a month that is shorter, and on the 31st again where there is one',
    '2024-12-31T23:59:00Z',
    [
      '2024-12-31T23:59',
      '2025-01-31T23:59',
      '2025-02-28T23:59',
      '2025-03-31T23:59',
      '2025-04-30T23:59',
    ],
  ],
  [
    'on 29 February in a leap year',
    '2023-12-30T00:00:00Z',
    ['2023-12-30T00:00', '2024-01-30T00:00', '2024-02-29T00:00', '2024-03-30T00:00'],
  ],
])('a monthly plan is due %s', (_name, start, expected) => {
  expect(dates(start, 'month', expected.length)).toEqual(
    expected.map((minute) => `${minute}:${start.slice(17, 19)}.000Z`),
  )
})

test('a weekly plan is due every seven days, across the end of a year', () => {
  expect(dates('2024-12-25T06:00:00Z', 'week', 3)).toEqual([
    '2024-12-25T06:00:00.000Z',
    '2025-01-01T06:00:00.000Z',
    '2025-01-08T06:00:00.000Z',
  ])
})

const someTime = fc.integer({ min: at('2015-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') })
const schedules = fc.record({ startMs: someTime, every: fc.constantFrom(...PLAN_PERIODS) })

test('periods follow each other at the same time of day; months have 28 to 31 days', () => {
  fc.assert(
    fc.property(schedules, fc.nat(400), (schedule, period) => {
      const [from, to] = [periodStart(schedule, period), periodStart(schedule, period + 1)]
      const days = (to - from) / DAY_MS
      expect(schedule.every === 'week' ? days === 7 : [28, 29, 30, 31].includes(days)).toBe(true)
      expect(from % DAY_MS).toBe(schedule.startMs % DAY_MS)
    }),
  )
})

test('the next period lies in the future and was never served before', () => {
  fc.assert(
    fc.property(schedules, fc.nat(60), fc.nat(400), (schedule, period, laterDays) => {
      const nowMs = periodStart(schedule, period) + laterDays * DAY_MS
      const next = nextPeriod(schedule, { period, nowMs })
      expect(next).toBeGreaterThan(period)
      expect(periodStart(schedule, next)).toBeGreaterThan(nowMs)
      if (next > period + 1) expect(periodStart(schedule, next - 1)).toBeLessThanOrEqual(nowMs)
    }),
  )
})

const free = { status: 'active', takingBps: null, isChanging: false, isSettled: true } as const
const state = (given: Partial<PlanState>): PlanState => ({
  bot: free,
  equity: 500n * ONE,
  amount: 100n * ONE,
  line: null,
  available: 1_000n * ONE,
  ...given,
})

test.each([
  ['the sum is added where the balance covers it', {}, { kind: 'add' }],
  ['the whole balance may be added', { available: 100n * ONE }, { kind: 'add' }],
  [
    'nothing is added where the balance is a unit short',
    { available: 100n * ONE - 1n },
    { kind: 'short' },
  ],
  ['at the line, the sum is added', { line: 500n * ONE }, { kind: 'add' }],
  [
    'less than a dollar above the line is not worth its trades',
    { equity: 501n * ONE - 1n, line: 500n * ONE },
    { kind: 'add' },
  ],
  [
    'a dollar above the line is taken out, floored to basis points',
    { equity: 501n * ONE, line: 500n * ONE },
    { kind: 'take', takingBps: 19 },
  ],
  [
    'above the line, the balance does not matter',
    { equity: 1_000n * ONE, line: 500n * ONE, available: 0n },
    { kind: 'take', takingBps: 5_000 },
  ],
  [
    'above the line, a bot that still enters its pools waits',
    { equity: 1_000n * ONE, line: 500n * ONE, bot: { ...free, isSettled: false } },
    { kind: 'wait' },
  ],
  [
    'a sum is added to a bot that still enters its pools',
    { bot: { ...free, isSettled: false } },
    { kind: 'add' },
  ],
  ['a paused bot waits', { bot: { ...free, status: 'paused' } }, { kind: 'wait' }],
  ['a closing bot gets nothing', { bot: { ...free, status: 'closing' } }, { kind: 'wait' }],
  [
    'a bot from which a part is being taken out waits',
    { bot: { ...free, takingBps: 100 } },
    { kind: 'wait' },
  ],
  ['a changing bot waits', { bot: { ...free, isChanging: true } }, { kind: 'wait' }],
] as const)('%s', (_name, given, step) => {
  expect(planStep(state(given))).toEqual(step)
})

test('a take-out leaves the worth of the line in the bot, and never sells the whole bot', () => {
  const amounts = fc.bigInt({ min: ONE, max: 10n ** 16n })
  fc.assert(
    fc.property(amounts, amounts, fc.boolean(), (equity, line, isRich) => {
      const step = planStep(state({ equity, line, available: isRich ? 10n ** 17n : 0n }))
      if (equity - line < ONE || (equity - line) * 10_000n < equity) {
        expect(step).toEqual({ kind: isRich ? 'add' : 'short' })
        return
      }
      if (step.kind !== 'take') throw new Error(step.kind)
      const left = equity - partOf(equity, step.takingBps)
      expect(step.takingBps).toBeGreaterThan(0)
      expect(step.takingBps).toBeLessThan(10_000)
      expect(left).toBeGreaterThanOrEqual(line)
      expect((left - line) * 10_000n).toBeLessThan(equity + 10_000n)
    }),
  )
})

test.each([
  [{ amount: ONE }, undefined],
  [{ amount: ONE - 1n }, { code: 'bot-amount-invalid', field: 'amount' }],
  [{ amount: undefined }, { code: 'bot-amount-invalid', field: 'amount' }],
  [{ line: ONE - 1n }, { code: 'bot-amount-invalid', field: 'takeAbove' }],
  [{ line: undefined }, { code: 'bot-amount-invalid', field: 'takeAbove' }],
  [{ status: 'closing' }, { code: 'bot-closing' }],
] as const)('a plan with %o is accepted, or refused as %o', (given, refusal) => {
  const check = () => checkPlan({ status: 'active', amount: 10n * ONE, line: null, ...given })
  if (refusal === undefined) check()
  else expect(check).toThrow(expect.objectContaining(refusal))
})
