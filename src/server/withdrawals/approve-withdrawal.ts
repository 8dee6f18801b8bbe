import { unitsOfDollars } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'
import { operatorOf, writeAudit } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import { actWithin, lockRequested, refuseWaiting } from './act-on-withdrawal.ts'
import { addApproval, type StoredWithdrawal } from './store.ts'

type Approval = { id: string; operator: { id: string; name: string }; note?: string }

/**
 * Approves a withdrawal. Above PAYOUT_SECOND_PERSON_ABOVE two different operators must approve;
 * until the second does, it stays in review. Approvals do not count while the owner's withdrawals
 * wait.
 */
export async function approveWithdrawal(
  context: Context,
  { id, operator, note }: Approval,
): Promise<StoredWithdrawal> {
  return context.atomically(async (tx) => {
    const withdrawal = await lockRequested(tx, id)
    const key = { userId: withdrawal.userId, id }
    if (withdrawal.state !== 'pending' && withdrawal.state !== 'in_review')
      throw new Refusal('withdrawal-state')
    await refuseWaiting(tx, withdrawal)
    const needsSecond =
      withdrawal.amount > unitsOfDollars(context.config.PAYOUT_SECOND_PERSON_ABOVE)
    const approvals = await addApproval(tx.sql, { ...key, operatorId: operator.id })
    const actor = operatorOf({ operator })
    const act = { ...key, actor, ...(note && { note }) }
    if (!needsSecond || approvals >= 2) return actWithin(context, tx, { ...act, action: 'approve' })
    await writeAudit(tx, {
      id: context.newId(),
      actor,
      action: 'withdrawal.first-approval',
      subject: id,
      details: { ...(note && { note }) },
    })
    return withdrawal.state === 'pending'
      ? actWithin(context, tx, { ...act, action: 'review' })
      : withdrawal
  })
}
