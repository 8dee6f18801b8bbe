import { expect, test } from 'vitest'
import { ONE } from '../money/amount.ts'
import { obstaclesOf } from './closing.ts'

const EMPTY = { bots: 0, withdrawals: 0, payments: 0, cash: 0n, owed: 0n }

test('an account without money, bots and open payments can be closed', () =>
  expect(obstaclesOf(EMPTY)).toEqual([]))

test.each([
  [{ bots: 1 }, 'bots'],
  [{ withdrawals: 1 }, 'withdrawals'],
  [{ payments: 1 }, 'payments'],
  [{ owed: 1n }, 'debt'],
  [{ cash: 10n * ONE }, 'cash'],
  [{ cash: 10n * ONE - 1n }, 'rest'],
  [{ cash: ONE / 100n }, 'rest'],
] as const)('%o is reported as %s', (part, obstacle) =>
  expect(obstaclesOf({ ...EMPTY, ...part })).toEqual([obstacle]),
)

test('less than a cent does not prevent closing', () =>
  expect(obstaclesOf({ ...EMPTY, cash: ONE / 100n - 1n })).toEqual([]))

test('every obstacle is listed, in the order in which the user removes them', () =>
  expect(obstaclesOf({ bots: 2, withdrawals: 1, payments: 1, cash: ONE, owed: ONE })).toEqual([
    'bots',
    'withdrawals',
    'payments',
    'debt',
    'rest',
  ]))
