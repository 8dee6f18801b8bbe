import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changeProtections,
  checkAccountAge,
  checkDailyLimit,
  checkProtections,
  leftOf,
  looseningHours,
  NO_PROTECTIONS,
  type Protections,
} from './protections.ts'
import { MINIMUM_WITHDRAWAL } from './withdrawal.ts'

const protections: fc.Arbitrary<Protections> = fc.record({
  delayHours: fc.integer({ min: 0, max: 48 }),
  dailyLimit: fc.option(fc.bigInt({ min: 1n, max: 1_000n }), { nil: undefined }),
  allowedOnly: fc.boolean(),
})

const isAtLeastAsStrict = (one: Protections, other: Protections): boolean =>
  one.delayHours >= other.delayHours &&
  (other.dailyLimit === undefined ||
    (one.dailyLimit !== undefined && one.dailyLimit <= other.dailyLimit)) &&
  (one.allowedOnly || !other.allowedOnly)

test('a change never loosens anything at once, and is fully in force in the end', () => {
  fc.assert(
    fc.property(protections, protections, (present, wanted) => {
      const { now, later } = changeProtections(present, wanted)
      expect(isAtLeastAsStrict(now, present) && isAtLeastAsStrict(now, wanted)).toBe(true)
      expect(later ?? now).toEqual(wanted)
      expect(later === undefined).toBe(isAtLeastAsStrict(wanted, present))
    }),
  )
})

test.each<[string, Partial<Protections>]>([
  ['a delay', { delayHours: 24 }],
  ['a limit', { dailyLimit: 5n }],
  ['no new accounts', { allowedOnly: true }],
])('from nothing to %s is in force at once', (_, wanted) => {
  expect(changeProtections(NO_PROTECTIONS, { ...NO_PROTECTIONS, ...wanted })).toEqual({
    now: { ...NO_PROTECTIONS, ...wanted },
    later: undefined,
  })
})

test('no withdrawal waits by default, none is limited, and every bank account is allowed', () => {
  expect(NO_PROTECTIONS).toEqual({ delayHours: 0, dailyLimit: undefined, allowedOnly: false })
})

test.each([
  [0, 24, 24],
  [23, 24, 24],
  [48, 24, 48],
  [48, 0, 48],
  [0, 0, 0],
])(
  'with a delay of %i and holds of %i hours, loosening takes %i hours',
  (delayHours, hold, hours) => {
    expect(looseningHours({ delayHours }, hold)).toBe(hours)
  },
)

test.each([
  [100n, 0n, 100n],
  [100n, 40n, 60n],
  [100n, 100n, 0n],
  [100n, 130n, 0n],
  [undefined, 130n, undefined],
])('of a limit of %s after %s, %s is left', (limit, requested, left) => {
  expect(leftOf({ limit, requested })).toBe(left)
})

test('an amount above the remaining limit is refused, and the refusal states the rest', () => {
  const left = 50n * 10n ** 8n
  expect(() => checkDailyLimit({ amount: left, left })).not.toThrow()
  expect(() => checkDailyLimit({ amount: left + 1n, left })).toThrow(
    expect.objectContaining({
      code: 'withdrawal-above-limit',
      field: 'amount',
      values: { left: '$50.00' },
    }),
  )
  expect(() => checkDailyLimit({ amount: left, left: undefined })).not.toThrow()
})

test('a daily limit below the smallest withdrawal is refused', () => {
  expect(() => checkProtections({ dailyLimit: MINIMUM_WITHDRAWAL - 1n })).toThrow(
    'daily-limit-invalid',
  )
  for (const dailyLimit of [MINIMUM_WITHDRAWAL, undefined])
    expect(() => checkProtections({ dailyLimit })).not.toThrow()
})

test('a new bank account is refused until a stated time', () => {
  const notAllowedUntil = new Date('2026-01-02T08:00:30Z')
  const check = (allowedOnly: boolean, until: Date | null) => () =>
    checkAccountAge({ allowedOnly }, { notAllowedUntil: until })
  expect(check(true, notAllowedUntil)).toThrow(
    expect.objectContaining({
      code: 'bank-account-not-allowed',
      values: { from: '2026-01-02 08:00' },
    }),
  )
  expect(check(true, null)).not.toThrow()
  expect(check(false, notAllowedUntil)).not.toThrow()
})
