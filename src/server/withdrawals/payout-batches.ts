import type { Units } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'
import type { PayoutBatch } from '#core/withdrawals/payout-batch.ts'
import { noteOfBatch } from '#core/withdrawals/payout-proof.ts'
import { writeAudit } from '#server/security/audit.ts'
import { readFrozen } from '#server/auth/frozen.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import type { Queries } from '#server/db/statement.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { lockCashAndDebt } from '#server/ledger/read.ts'
import { unseal } from '#server/kernel/sealed.ts'
import { findHold } from '#server/withdrawal-holds.ts'
import { actWithin } from './act-on-withdrawal.ts'
import { refuseNameless } from './bank-names.ts'
import { markWithdrawal, type Mark } from './mark-withdrawal.ts'
import { waitFor } from './pay-out.ts'
import {
  findBatch,
  findBatches,
  findBatchLines,
  findPayable,
  insertBatch,
  type Payable,
  type StoredBatchLine,
} from './payout-store.ts'
import {
  confirmPayouts,
  refuseUnproven,
  refuseUnsubmitted,
  type Confirmations,
  type Confirmed,
} from './prove-payout.ts'
import { lockWithdrawal } from './store.ts'

/** Payouts in one file at most; the next file takes the rest. */
const MOST_PAYOUTS = 1_000

/**
 * Submits everything approved and proven as a new batch for the bank; undefined if there is nothing
 * to submit.
 */
export async function makeBatch(context: Context, operator: string): Promise<number | undefined> {
  const waiting = (await findPayable(context.sql, MOST_PAYOUTS)).map(
    ({ withdrawalId: id, ...rest }) => ({ ...rest, id }),
  )
  const confirmed = await confirmPayouts(context, waiting, 'all')
  const { number, unproven } = await submitBatch(context, operator, confirmed)
  for (const withdrawal of waiting) {
    const refusal = unproven.get(withdrawal.id)
    if (refusal) await waitFor(context, withdrawal, refusal)
  }
  return number
}

type Batch = { number: number | undefined; unproven: ReadonlyMap<string, Refusal> }

async function submitBatch(
  context: Context,
  operator: string,
  confirmed: Confirmed,
): Promise<Batch> {
  return context.atomically(async (tx) => {
    const { proven, unproven } = await provenOf(context, tx, confirmed)
    if (proven.length === 0) return { number: undefined, unproven }
    const number = await insertBatch(tx.sql, { operator, createdAt: context.now(), lines: proven })
    for (const { withdrawalId: id, userId, confirmed: sums } of proven) {
      await actWithin(context, tx, {
        userId,
        id,
        action: 'submit',
        actor: operator,
        note: noteOfBatch(number),
        confirmed: sums,
      })
    }
    await writeAudit(tx, {
      id: context.newId(),
      actor: operator,
      action: 'payouts.batch',
      subject: String(number),
      details: { payouts: String(proven.length) },
    })
    return { number, unproven }
  })
}

type Proven = Payable & { confirmed: Confirmations }

async function provenOf(
  context: Context,
  tx: BookWrite,
  confirmed: Confirmed,
): Promise<{ proven: Proven[]; unproven: Map<string, Refusal> }> {
  const before = new Map<string, Units>()
  const proven: Proven[] = []
  const unproven = new Map<string, Refusal>()
  for (const line of await lockPayable(tx)) {
    const { withdrawalId: id, userId, amount } = line
    const confirmation = confirmed.get(id)
    // Payouts approved after the provider was queried are left for the next batch.
    if (!confirmation) continue
    const left = before.get(userId) ?? 0n
    try {
      if (confirmation instanceof Refusal) throw confirmation
      await refuseNameless(context, line.name)
      const proof = { payout: { id, userId, amount }, confirmed: confirmation, before: left }
      await refuseUnproven(context, tx, proof)
      proven.push({ ...line, confirmed: confirmation })
      before.set(userId, left + amount)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      unproven.set(id, error)
    }
  }
  return { proven, unproven }
}

/**
 * Locks payouts user by user, in the ledger's lock order, and returns the oldest first. Leaves out
 * those already exported, and those whose owner is in debt, frozen or has to wait.
 */
async function lockPayable({ sql }: BookWrite): Promise<Payable[]> {
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

export const listBatches = ({ sql }: Context) => findBatches(sql)

export async function readBatch(context: Context, number: number): Promise<PayoutBatch> {
  const { sql, config } = context
  const { createdAt, lines } = await findWhole(sql, number)
  for (const { withdrawalId: id, userId, amount } of lines)
    await refuseUnsubmitted(context, { id, userId, amount, batch: number })
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
 * Marks those payouts of the batch that are still on their way. `waiting`: those that wait for a
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
