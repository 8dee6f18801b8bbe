import { Refusal } from '#core/refusal.ts'
import type { PayoutBatch } from '#core/withdrawals/payout-batch.ts'
import type { WithdrawalAction } from '#core/withdrawals/withdrawal.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import { writeAudit } from '#server/ops/audit.ts'
import { actOnWithdrawal, actWithin } from './act-on-withdrawal.ts'
import { unseal } from './sealed.ts'
import { findBatch, findBatchLines, insertBatch, lockPayable, type StoredBatchLine } from './store.ts'

/** Payouts of one file at most; the rest is in the next. */
const MOST_PAYOUTS = 1_000

/** Puts everything that is approved into a new batch, handed to the bank from then on; undefined where there is nothing. */
export async function makeBatch(context: Context, operator: string): Promise<number | undefined> {
  return atomically(context.sql, async (tx) => {
    const payable = await lockPayable(tx, MOST_PAYOUTS)
    if (payable.length === 0) return undefined
    const number = await insertBatch(tx, { operator, createdAt: context.now(), lines: payable })
    for (const { withdrawalId } of payable) {
      await actWithin(context, tx, { id: withdrawalId, action: 'submit', actor: operator, note: `batch ${number}` })
    }
    await writeAudit(tx, { id: context.newId(), actor: operator, action: 'payouts.batch', subject: String(number), details: { payouts: String(payable.length) } })
    return number
  })
}

/** A batch as its file says it: the same whenever it is asked for. */
export async function readBatch({ sql, config }: Context, number: number): Promise<PayoutBatch> {
  const batch = await findBatch(sql, number)
  if (!batch) throw new Refusal('not-found', { sentence: `There is no batch ${number}.` })
  const lines = await findBatchLines(sql, number)
  return { number, createdAt: batch.createdAt, lines: lines.map((line) => ({ ...line, accountNumber: accountNumberOf(line, config.SESSION_SECRET) })) }
}

function accountNumberOf({ accountNumberSealed, userId }: StoredBatchLine, secret: string): string {
  return unseal({ sealed: accountNumberSealed, userId, secret })
}

/** Marks everything of a batch that is still on its way, and answers how many that were. */
export async function markBatch(context: Context, { number, action, operator }: { number: number; action: WithdrawalAction; operator: string }): Promise<number> {
  const { lines } = await readBatch(context, number)
  let marked = 0
  for (const { withdrawalId } of lines) {
    try {
      await actOnWithdrawal(context, { id: withdrawalId, action, actor: operator, note: `batch ${number}` })
      marked += 1
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'withdrawal-state')) throw error
    }
  }
  return marked
}
