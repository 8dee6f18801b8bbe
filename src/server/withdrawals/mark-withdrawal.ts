import { advanceWithdrawal } from '#core/withdrawals/withdrawal.ts'
import { auditCommand, operatorOf } from '#server/security/audit.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { isSecondPerson } from '#server/operators/second-person.ts'
import { actWithin, lockRequested } from './act-on-withdrawal.ts'
import type { StoredWithdrawal } from './store.ts'

export type Mark = 'mark-paid' | 'mark-failed' | 'mark-returned'

/**
 * Threat: an operator reports money that arrived as returned, and withdraws it again; so two
 * different operators must report it. Unchanged after the first.
 */
export async function markWithdrawal(
  context: OperatorContext,
  { id, action, note }: { id: string; action: Mark; note?: string | undefined },
): Promise<StoredWithdrawal> {
  return context.atomically(async (tx) => {
    const withdrawal = await lockRequested(tx, id)
    advanceWithdrawal(withdrawal, action)
    const act = { actor: operatorOf(context), ...(note !== undefined && { note }) }
    const first = `withdrawal.${action}.first`
    if (
      action === 'mark-paid' ||
      (await isSecondPerson(context, tx, { action: first, subject: id }))
    )
      return actWithin(context, tx, { userId: withdrawal.userId, id, action, ...act })
    await auditCommand(
      context,
      { action: first, subject: id, details: { ...(note !== undefined && { note }) } },
      tx,
    )
    return withdrawal
  })
}
