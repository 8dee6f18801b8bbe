import { fstatSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#core/refusal.ts'
import { withdrawalsCommand } from '#server/ops/withdrawals-command.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { actingAs } from '../world/operators.ts'
import { refusalText, type Attempt } from './attempt.ts'
import { BACKUP_ATTEMPTS, PAPER_BACKUP_ATTEMPTS } from './backup-attempts.ts'
import { drop, onCopy, prepare, type Prepared } from './books.ts'
import { CHAIN_ATTEMPTS } from './chain-attempts.ts'
import { LEDGER_ATTEMPTS } from './ledger-attempts.ts'
import { payForReal, PAYOUT_ATTEMPTS, PROVIDER_ATTEMPTS } from './payout-attempts.ts'
import { PAPER_ATTEMPTS, SETTING_ATTEMPTS } from './setting-attempts.ts'

/** Numbers in the titles are those of attempts that once succeeded. */
let live: Prepared
let paper: Prepared
let refused = 0

beforeAll(async () => {
  ;[live, paper] = [await prepare('live'), await prepare('paper')]
})
afterAll(() => Promise.all([live, paper].map(drop)))

async function isRefused(
  prepared: Prepared,
  { carryOut, refused: expected }: Attempt,
): Promise<void> {
  expect(await onCopy(prepared, carryOut).catch(refusalText)).toMatch(expected)
  refused += 1
}

const titled = (attempts: readonly Attempt[]) =>
  attempts.map((attempt) => [attempt.deed, attempt] as const)

test('an honest user meets no refusal: a live book starts, pays and is backed up', async () => {
  await onCopy(live, async (copy) => {
    expect(await copy.start()).toBe('starts')
    expect(await copy.payOut()).toMatch(
      /^Batch 1: 1 payouts, \$100\.00\.\n[^]*payouts-000001\.csv$/,
    )
    expect(await copy.reconcile()).toBe('')
    expect(await copy.payOut('1')).toMatch(/^Batch 1: 1 payouts, \$100\.00\./)
  })
})

test('several withdrawals of one user in a batch are funded across deposits in turn', async () => {
  await onCopy(live, async (copy) => {
    const user = await (await copy.world()).user('bob')
    await payForReal(copy, user, '70')
    await payForReal(copy, user, '50')
    for (const amount of ['40', '40', '40'])
      await approveWithdrawal(copy.context, {
        id: (await user.call('requestWithdrawal', { body: { amount } })).id,
        operator: actingAs(copy.context, 'Grace').operator,
      })
    expect(await copy.payOut()).toMatch(/^Batch 1: 4 payouts, \$220\.00\./)
    expect(await copy.reconcile()).toBe('')
  })
})

test('a broken seal is on the health page', async () => {
  await onCopy(live, async (copy) => {
    const { app } = await copy.world()
    const seals = async () => (await app.inject('/health')).json<{ seals: string }>().seals
    expect(await seals()).toBe('whole')
    await copy.pastTriggers(
      "update audit_events set actor = 'operator:Mallory' where action = 'withdrawal.approve'",
    )
    await expect(copy.start()).rejects.toThrow(/^A seal of this book is broken/)
    expect(await seals()).toBe('broken')
  })
})

test('a withdrawal waits while the card provider is silent, and is paid later', async () => {
  const own = await prepare('live')
  await onCopy(own, async (copy) => {
    own.stripe.fail({ times: 1_000, status: 503 })
    expect(await copy.payOut()).toMatch(
      /^No batch was created\.\n[0-9a-f-]{36} waits: The card provider does not answer\.$/,
    )
    expect((await withdrawalsCommand(actingAs(copy.context, 'Grace'), ['list'])).lines).toEqual([
      expect.stringMatching(/approved .*waits: The card provider does not answer\.$/),
    ])
    own.stripe.fail({ times: 0, status: 503 })
    expect(await copy.payOut()).toMatch(/^Batch 1: 1 payouts, \$100\.00\./)
  })
  await drop(own)
})

describe('settings', () => {
  test.each(titled(SETTING_ATTEMPTS))('refused: %s', (_deed, attempt) => isRefused(live, attempt))
})

describe('a paper book called live', () => {
  test.each(titled([...PAPER_ATTEMPTS, ...PAPER_BACKUP_ATTEMPTS]))(
    'refused: %s',
    (_deed, attempt) => isRefused(paper, attempt),
  )
})

describe('rows of the ledger', () => {
  test.each(titled(LEDGER_ATTEMPTS))('refused: %s', (_deed, attempt) => isRefused(live, attempt))
})

describe('the chain of seals and the audit trail', () => {
  test.each(titled(CHAIN_ATTEMPTS))('refused: %s', (_deed, attempt) => isRefused(live, attempt))
})

describe('payouts', () => {
  test.each(titled(PAYOUT_ATTEMPTS))('refused: %s', (_deed, attempt) => isRefused(live, attempt))
})

describe('the card provider', () => {
  test.each(titled(PROVIDER_ATTEMPTS))('refused: %s', async (_deed, attempt) => {
    const own = await prepare('live')
    try {
      await isRefused(own, attempt)
    } finally {
      await drop(own)
    }
  })
})

describe('backups', () => {
  test.each(titled(BACKUP_ATTEMPTS))('refused: %s', (_deed, attempt) => isRefused(live, attempt))
})

test('the file of a backup refused at its first record is closed', async () => {
  await onCopy(paper, async (copy) => {
    for (const { carryOut } of PAPER_BACKUP_ATTEMPTS)
      await expect(carryOut(copy)).rejects.toThrow(Refusal)
    expect(await isOpen(join(copy.dataDir, 'book.backup'))).toBe(false)
  })
})

async function isOpen(file: string): Promise<boolean> {
  const { dev, ino } = await stat(file)
  return (await readdir('/dev/fd')).some((handle) => {
    try {
      const opened = fstatSync(Number(handle))
      return opened.dev === dev && opened.ino === ino
    } catch {
      // The handle of the listing itself is closed by now.
      return false
    }
  })
}

test('of all attempts to turn paper into real money, none succeeds', () => {
  console.log(`paper to live: 0 of ${refused}`)
  expect(refused).toBeGreaterThanOrEqual(48)
})
