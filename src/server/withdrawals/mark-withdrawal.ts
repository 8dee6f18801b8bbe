import { Refusal } from '#core/refusal.ts'
import { advanceWithdrawal } from '#core/withdrawals/withdrawal.ts'
import { operatorOf, writeAudit } from '#server/security/audit.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { isSecondPerson } from '#server/operators/second-person.ts'
import { actWithin } from './act-on-withdrawal.ts'
import { findWithdrawalKey, lockWithdrawal, type StoredWithdrawal } from './store.ts'

export type Mark = 'mark-paid' | 'mark-failed' | 'mark-returned'

/**
 * Notes what the bank did with a payout. Threat: an operator says that money which arrived came
 * back, and withdraws it again; so two different operators must say so, whatever the amount.
 * Unchanged after the first.
 */
export async function markWithdrawal(
  context: OperatorContext,
  { id, action, note }: { id: string; action: Mark; note?: string | undefined },
): Promise<StoredWithdrawal> {
  return context.atomically(async (tx) => {
    const key = await findWithdrawalKey(tx.sql, id)
    const withdrawal = key && (await lockWithdrawal(tx.sql, key))
    if (!withdrawal) throw new Refusal('not-found')
    advanceWithdrawal(withdrawal, action)
    const act = { actor: operatorOf(context), ...(note !== undefined && { note }) }
    const first = `withdrawal.${action}.first`
    if (
      action === 'mark-paid' ||
      (await isSecondPerson(context, tx, { action: first, subject: id }))
    )
      return actWithin(context, tx, { ...key, action, ...act })
    await writeAudit(tx, {
      id: context.newId(),
      actor: act.actor,
      action: first,
      subject: id,
      details: { ...(note !== undefined && { note }) },
    })
    return withdrawal
  })
}
