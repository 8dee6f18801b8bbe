import { Refusal } from '#core/refusal.ts'
import type { PayoutBatch } from '#core/withdrawals/payout-batch.ts'
import type { WithdrawalAction } from '#core/withdrawals/withdrawal.ts'
import { writeAudit } from '#server/audit.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Transaction } from '#server/db/open.ts'
import type { Queries } from '#server/db/statement.ts'
import { lockCashAndDebt } from '#server/ledger/read.ts'
import { actOnWithdrawal, actWithin } from './act-on-withdrawal.ts'
import { unseal } from './sealed.ts'
import { findBatch, findBatches, findBatchLines, findPayable, insertBatch, type Payable, type StoredBatchLine } from './batch-store.ts'
import { lockWithdrawal } from './store.ts'

/** Payouts in one file at most; the next file takes the rest. */
const MOST_PAYOUTS = 1_000

/** Submits everything approved as a new batch for the bank; undefined where nothing is approved. */
export async function makeBatch(context: Context, operator: string): Promise<number | undefined> {
  return atomically(context.sql, async (tx) => {
    const payable = await lockPayable(tx)
    if (payable.length === 0) return undefined
    const number = await insertBatch(tx, { operator, createdAt: context.now(), lines: payable })
    for (const { withdrawalId: id, userId } of payable) {
      await actWithin(context, tx, { userId, id, action: 'submit', actor: operator, note: `batch ${number}` })
    }
    await writeAudit(tx, { id: context.newId(), actor: operator, action: 'payouts.batch', subject: String(number), details: { payouts: String(payable.length) } })
    return number
  })
}

/**
 * Locks the payable withdrawals user by user, in the ledger's lock order, and returns them oldest first, without those that another export
 * has taken or whose owner is in debt by now.
 */
async function lockPayable(tx: Transaction): Promise<Payable[]> {
  const found = await findPayable(tx, MOST_PAYOUTS)
  const out = new Set<string>()
  for (const { userId, withdrawalId: id } of found.toSorted(inOrderOfLocks)) {
    const locked = await lockWithdrawal(tx, { userId, id })
    const { owed } = await lockCashAndDebt(tx, userId)
    if (locked?.state !== 'approved' || owed > 0n) out.add(id)
  }
  return found.filter(({ withdrawalId }) => !out.has(withdrawalId))
}

function inOrderOfLocks(one: Payable, other: Payable): number {
  const [first, second] = [one, other].map(({ userId, withdrawalId }) => `${userId} ${withdrawalId}`) as [string, string]
  return first < second ? 1 : -1
}

/** The newest batches with what became of their payouts, for operators. */
export const listBatches = ({ sql }: Context) => findBatches(sql)

/** The content of a batch's file, always the same. */
export async function readBatch({ sql, config }: Context, number: number): Promise<PayoutBatch> {
  const { createdAt, lines } = await findWhole(sql, number)
  return { number, createdAt, lines: lines.map((line) => ({ ...line, accountNumber: accountNumberOf(line, config.SESSION_SECRET) })) }
}

async function findWhole(sql: Queries, number: number): Promise<{ createdAt: Date; lines: StoredBatchLine[] }> {
  const batch = await findBatch(sql, number)
  if (!batch) throw new Refusal('not-found', { sentence: `Batch ${number} not found.` })
  return { createdAt: batch.createdAt, lines: await findBatchLines(sql, number) }
}

function accountNumberOf({ accountNumberSealed, userId }: StoredBatchLine, secret: string): string {
  return unseal({ sealed: accountNumberSealed, userId, secret })
}

/** Marks all payouts of a batch that are still on their way, and returns their number. */
export async function markBatch(context: Context, { number, action, operator }: { number: number; action: WithdrawalAction; operator: string }): Promise<number> {
  const { lines } = await findWhole(context.sql, number)
  let marked = 0
  for (const { withdrawalId: id, userId } of lines) {
    try {
      await actOnWithdrawal(context, { userId, id, action, actor: operator, note: `batch ${number}` })
      marked += 1
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'withdrawal-state')) throw error
    }
  }
  return marked
}
