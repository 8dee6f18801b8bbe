import { describe, expect, test } from 'vitest'
import { decimalToUnits as units, parseDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { isUnsentWait, PAYOUT_WAITS, waitSentence } from './payout-wait.ts'
import {
  advanceWithdrawal,
  checkWithdrawal,
  isCancelable,
  isDisowned,
  isUnsent,
  refuseDebtor,
  shownStatus,
  type WithdrawalAction,
  type WithdrawalState,
} from './withdrawal.ts'

/** Every action in every state: the next state and the money that moves; '' is a refusal. */
const ACTIONS: readonly WithdrawalAction[] = [
  'review',
  'approve',
  'reject',
  'cancel',
  'disown',
  'submit',
  'mark-paid',
  'mark-failed',
  'mark-returned',
]
const RELEASE = 'withdrawal-release'
const TABLE: Record<WithdrawalState, readonly string[]> = {
  pending: [
    'in_review',
    'approved',
    `rejected ${RELEASE}`,
    `canceled ${RELEASE}`,
    `canceled ${RELEASE}`,
    '',
    '',
    '',
    '',
  ],
  in_review: [
    '',
    'approved',
    `rejected ${RELEASE}`,
    `canceled ${RELEASE}`,
    `canceled ${RELEASE}`,
    '',
    '',
    '',
    '',
  ],
  approved: ['', '', '', '', `canceled ${RELEASE}`, 'submitted payout-submitted', '', '', ''],
  submitted: ['', '', '', '', '', '', 'paid payout-paid', 'failed payout-failed', ''],
  paid: ['', '', '', '', '', '', '', '', 'returned payout-returned'],
  failed: ['', '', '', '', '', '', '', '', ''],
  returned: ['', '', '', '', '', '', '', '', ''],
  canceled: ['', '', '', '', '', '', '', '', ''],
  rejected: ['', '', '', '', '', '', '', '', ''],
}
const STATES = Object.keys(TABLE) as WithdrawalState[]
const CASES = STATES.flatMap((state) =>
  ACTIONS.map((action, index) => ({ state, action, leads: TABLE[state][index] ?? '' })),
)

test.each(CASES)('$state, $action: $leads', ({ state, action, leads }) => {
  const act = () => advanceWithdrawal({ state, waitsFor: null, userId: 'ada', amount: 7n }, action)
  if (leads === '') {
    expect(act).toThrow(
      expect.objectContaining({
        code: action === 'cancel' ? 'withdrawal-not-cancelable' : 'withdrawal-state',
      }),
    )
    return
  }
  const { state: next, movement } = act()
  expect([next, movement?.kind].filter(Boolean).join(' ')).toBe(leads)
  if (movement) expect(movement.entries.map(({ amount }) => amount).sort()).toEqual([-7n, 7n])
})

test.each([
  ['pending', 'pending', true],
  ['in_review', 'pending', true],
  ['approved', 'processing', false],
  ['submitted', 'processing', false],
  ['paid', 'completed', false],
  ['failed', 'failed', false],
  ['returned', 'failed', false],
  ['canceled', 'failed', false],
  ['rejected', 'failed', false],
] as const)('%s is shown as %s; cancelable: %s', (state, shown, cancelable) => {
  expect([shownStatus(state), isCancelable({ state, waitsFor: null })]).toEqual([shown, cancelable])
})

test.each([
  ...Object.entries(PAYOUT_WAITS).map(([waitsFor, { isUnsent }]) => [waitsFor, isUnsent] as const),
  ['Payouts are halted', false] as const,
  [null, false] as const,
])('submitted and waiting for %s: can be canceled or disowned: %s', (waitsFor, isUnsentYet) => {
  const submitted = { state: 'submitted', waitsFor, userId: 'ada', amount: 7n } as const
  expect([isCancelable(submitted), isUnsentWait(waitsFor)]).toEqual([isUnsentYet, isUnsentYet])
  expect(isDisowned(submitted)).toBe(isUnsentYet)
  expect(isCancelable({ state: 'paid', waitsFor })).toBe(false)
  expect(waitSentence(waitsFor)).not.toBe('')
  for (const action of ['cancel', 'disown'] as const) {
    const stop = () => advanceWithdrawal(submitted, action)
    if (isUnsentYet)
      expect(stop()).toMatchObject({ state: 'canceled', movement: { kind: 'payout-failed' } })
    else expect(stop).toThrow(Refusal)
  }
})

test.each(STATES)('%s: whether the withdrawal can still be stopped', (state) => {
  expect(isDisowned({ state, waitsFor: null })).toBe(isUnsent(state))
  expect(isUnsent(state)).toBe(['pending', 'in_review', 'approved'].includes(state))
})

describe('an amount to withdraw', () => {
  test.each([
    ['0', '100', 'withdrawal-amount-invalid'],
    ['-5', '100', 'withdrawal-amount-invalid'],
    ['0', '0', 'withdrawal-amount-invalid'],
    ['5', '4', 'withdrawal-above-available'],
    ['100.01', '100', 'withdrawal-above-available'],
    ['9.99', '100', 'withdrawal-below-minimum'],
    ['5', '5', 'withdrawal-below-minimum'],
    ['9', '5', 'withdrawal-above-available'],
    ['', '100', 'withdrawal-amount-invalid'],
    ['1e2', '100', 'withdrawal-amount-invalid'],
  ])('of %j if %s is available is refused as %s', (amount, available, code) => {
    const check = () =>
      checkWithdrawal({
        amount: parseDecimal(amount),
        available: units(available),
        owed: 0n,
        holds: [],
      })
    expect(check).toThrow(Refusal)
    expect(check).toThrow(expect.objectContaining({ code, field: 'amount' }))
  })

  test.each([
    ['10', '10'],
    ['100', '100'],
    ['10', '5000'],
  ])('of %s if %s is available is accepted', (amount, available) => {
    expect(() =>
      checkWithdrawal({ amount: units(amount), available: units(available), owed: 0n, holds: [] }),
    ).not.toThrow()
  })

  test('below the minimum is refused with the minimum in whole dollars', () => {
    const check = () =>
      checkWithdrawal({ amount: units('9'), available: units('100'), owed: 0n, holds: [] })
    expect(check).toThrow(expect.objectContaining({ values: { minimum: '$10' } }))
  })

  const HOLDS = [
    { amount: units('30'), until: new Date('2026-01-03T10:30:00Z') },
    { amount: units('50'), until: new Date('2026-01-02T08:00:00Z') },
  ]

  test.each([
    ['20', '100', undefined],
    ['20.01', '100', '2026-01-02 08:00'],
    ['70', '100', '2026-01-02 08:00'],
    ['70.01', '100', '2026-01-03 10:30'],
    ['100', '100', '2026-01-03 10:30'],
    ['60', '60', '2026-01-03 10:30'],
    ['30', '60', '2026-01-02 08:00'],
  ])(
    'of %s if %s is available and card money is on hold waits until %s',
    (amount, available, until) => {
      const check = () =>
        checkWithdrawal({
          amount: units(amount),
          available: units(available),
          owed: 0n,
          holds: HOLDS,
        })
      if (until === undefined) expect(check).not.toThrow()
      else
        expect(check).toThrow(
          expect.objectContaining({
            code: 'withdrawal-on-hold',
            field: 'amount',
            values: expect.objectContaining({ from: until }) as unknown,
          }),
        )
    },
  )

  test('an amount on hold is refused, and the refusal states the amount that is free', () => {
    const check = (available: string) => () =>
      checkWithdrawal({ amount: units('30'), available: units(available), owed: 0n, holds: HOLDS })
    expect(check('100')).toThrow(
      expect.objectContaining({ values: { from: '2026-01-02 08:00', withdrawable: '$20.00' } }),
    )
    expect(check('60')).toThrow(
      expect.objectContaining({ values: { from: '2026-01-02 08:00', withdrawable: '$0.00' } }),
    )
  })

  test('waits for the second of three holds if the first is not enough', () => {
    const holds = ['2026-01-04T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'].map(
      (until) => ({ amount: units('20'), until: new Date(until) }),
    )
    const check = () =>
      checkWithdrawal({ amount: units('40'), available: units('60'), owed: 0n, holds })
    expect(check).toThrow(
      expect.objectContaining({ values: { from: '2026-01-03 00:00', withdrawable: '$0.00' } }),
    )
  })

  test.each([
    [1n, '$0.01'],
    [units('50.01'), '$50.01'],
    [units('50.01') + 1n, '$50.02'],
  ])('a request by a user who owes %s units is refused with %s', (owed, shown) => {
    expect(() => refuseDebtor(owed)).toThrow(
      expect.objectContaining({ code: 'withdrawals-frozen', values: { owed: shown } }),
    )
    expect(() => refuseDebtor(0n)).not.toThrow()
  })

  test('a withdrawal by a user in debt is refused before the cash is checked', () => {
    const check = (amount: string) => () =>
      checkWithdrawal({
        amount: units(amount),
        available: 0n,
        owed: units('50.00000001'),
        holds: [],
      })
    expect(check('10')).toThrow(
      expect.objectContaining({ code: 'withdrawals-frozen', values: { owed: '$50.01' } }),
    )
    expect(check('0')).toThrow(expect.objectContaining({ code: 'withdrawal-amount-invalid' }))
  })
})
