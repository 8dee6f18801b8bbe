import type { Units } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'
import type { PayoutBatch } from '#core/withdrawals/payout-batch.ts'
import { writeAudit } from '#server/security/audit.ts'
import { readFrozen } from '#server/auth/frozen.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/book.ts'
import type { Queries } from '#server/db/statement.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { lockCashAndDebt } from '#server/ledger/read.ts'
import { unseal } from '#server/kernel/sealed.ts'
import { findHold } from '#server/withdrawal-holds.ts'
import { actWithin } from './act-on-withdrawal.ts'
import { confirmPayouts, waitFor, type Confirmed } from './confirm-payouts.ts'
import { noteOfBatch, refuseUnproven, refuseUnsubmitted } from './prove-payout.ts'
import { markWithdrawal, type Mark } from './mark-withdrawal.ts'
import {
  lockWithdrawal,
  findBatch,
  findBatches,
  findBatchLines,
  findPayable,
  insertBatch,
  type Payable,
  type StoredBatchLine,
} from './store.ts'

/** Payouts in one file at most; the next file takes the rest. */
const MOST_PAYOUTS = 1_000

/**
 * Submits everything approved and proven as a new batch for the bank; undefined where there is
 * none.
 */
export async function makeBatch(context: Context, operator: string): Promise<number | undefined> {
  const waiting = (await findPayable(context.sql, MOST_PAYOUTS)).map(
    ({ withdrawalId: id, ...rest }) => ({ ...rest, id }),
  )
  const confirmed = await confirmPayouts(context, waiting, 'all')
  const unproven = new Map<string, Refusal>()
  const number = await submitBatch(context, { operator, confirmed, unproven })
  for (const withdrawal of waiting) {
    const refusal = unproven.get(withdrawal.id)
    if (refusal) await waitFor(context, withdrawal, refusal)
  }
  return number
}

type Batch = { operator: string; confirmed: Confirmed; unproven: Map<string, Refusal> }

/** `unproven` receives the withdrawals that stay approved, because their money is not proven. */
async function submitBatch(
  context: Context,
  { operator, confirmed, unproven }: Batch,
): Promise<number | undefined> {
  return context.atomically(async (tx) => {
    unproven.clear()
    // One that was approved after the provider was asked is for the next batch.
    const locked = (await lockPayable(tx)).filter(({ withdrawalId }) => confirmed.has(withdrawalId))
    const payable = await provenOf(context, tx, { locked, confirmed, unproven })
    if (payable.length === 0) return undefined
    const number = await insertBatch(tx.sql, { operator, createdAt: context.now(), lines: payable })
    for (const { withdrawalId: id, userId } of payable) {
      await actWithin(context, tx, {
        userId,
        id,
        action: 'submit',
        actor: operator,
        note: noteOfBatch(number),
        confirmed: confirmed.get(id) ?? new Map(),
      })
    }
    await writeAudit(tx, {
      id: context.newId(),
      actor: operator,
      action: 'payouts.batch',
      subject: String(number),
      details: { payouts: String(payable.length) },
    })
    return number
  })
}

type Locked = Pick<Batch, 'confirmed' | 'unproven'> & { locked: readonly Payable[] }

async function provenOf(
  context: Context,
  tx: Transaction,
  { locked, confirmed, unproven }: Locked,
): Promise<Payable[]> {
  const before = new Map<string, Units>()
  const proven: Payable[] = []
  for (const line of locked) {
    const { withdrawalId: id, userId, amount } = line
    const proof = {
      asked: { id, userId, amount },
      confirmed: confirmed.get(id) ?? new Map(),
      before: before.get(userId) ?? 0n,
    }
    const refusal = await refuseUnproven(context, tx, proof).then(() => undefined, refusalOnly)
    if (refusal) {
      unproven.set(id, refusal)
      continue
    }
    proven.push(line)
    before.set(userId, proof.before + amount)
  }
  return proven
}

function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal && error.code === 'payout-unproven') return error
  throw error
}

/**
 * Locks the payable withdrawals user by user, in the ledger's lock order, and returns them oldest
 * first, without those that another export has taken or whose owner is in debt, frozen or has to
 * wait by now.
 */
async function lockPayable({ sql }: Transaction): Promise<Payable[]> {
  const found = await findPayable(sql, MOST_PAYOUTS)
  const out = new Set<string>()
  for (const { userId, withdrawalId: id } of found.toSorted(inOrderOfLocks)) {
    const locked = await lockWithdrawal(sql, { userId, id })
    const { owed } = await lockCashAndDebt(sql, userId)
    const waits =
      (await findHold(sql, userId)) !== undefined || (await readFrozen(sql, userId)) !== undefined
    if (locked?.state !== 'approved' || owed > 0n || locked.heldUntil !== null || waits) out.add(id)
  }
  return found.filter(({ withdrawalId }) => !out.has(withdrawalId))
}

function inOrderOfLocks(one: Payable, other: Payable): number {
  const [first, second] = [one, other].map(
    ({ userId, withdrawalId }) => `${userId} ${withdrawalId}`,
  ) as [string, string]
  return first < second ? 1 : -1
}

/** The newest batches with what became of their payouts, for operators. */
export const listBatches = ({ sql }: Context) => findBatches(sql)

/** The content of a batch's file, always the same. */
export async function readBatch(context: Context, number: number): Promise<PayoutBatch> {
  const { sql, config } = context
  const { createdAt, lines } = await findWhole(sql, number)
  for (const { withdrawalId: id, userId, amount } of lines)
    await refuseUnsubmitted(context, context, { id, userId, amount, batch: number })
  return {
    number,
    createdAt,
    lines: lines.map((line) => ({
      ...line,
      accountNumber: accountNumberOf(line, config.SESSION_SECRET),
    })),
  }
}

async function findWhole(
  sql: Queries,
  number: number,
): Promise<{ createdAt: Date; lines: StoredBatchLine[] }> {
  const batch = await findBatch(sql, number)
  if (!batch) throw new Refusal('not-found', { sentence: `Batch ${number} not found.` })
  return { createdAt: batch.createdAt, lines: await findBatchLines(sql, number) }
}

function accountNumberOf({ accountNumberSealed, userId }: StoredBatchLine, secret: string): string {
  if (accountNumberSealed === '')
    throw new Refusal('not-found', {
      sentence: 'Account numbers of this batch were erased: they are kept for 90 days.',
    })
  return unseal({ sealed: accountNumberSealed, userId, secret })
}

/**
 * Marks all payouts of a batch that are still on their way. `waiting`: how many of them wait for a
 * second operator.
 */
export async function markBatch(
  context: OperatorContext,
  { number, action }: { number: number; action: Exclude<Mark, 'mark-returned'> },
): Promise<{ marked: number; waiting: number }> {
  const { lines } = await findWhole(context.sql, number)
  const counts = { marked: 0, waiting: 0 }
  for (const { withdrawalId: id } of lines) {
    try {
      const { state } = await markWithdrawal(context, { id, action, note: noteOfBatch(number) })
      counts[state === 'submitted' ? 'waiting' : 'marked'] += 1
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'withdrawal-state')) throw error
    }
  }
  return counts
}
