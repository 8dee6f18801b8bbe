import { Refusal } from '#core/refusal.ts'
import type { WithdrawalAction, WithdrawalState } from '#core/withdrawals/withdrawal.ts'
import type { Context } from '#server/context.ts'
import { actOnWithdrawal } from './act-on-withdrawal.ts'
import { findWithdrawalsIn } from './store.ts'

/** Takes every open withdrawal as far as the payout provider and the rules allow. Safe to run anywhere, any number of times. */
export async function payOut(context: Context): Promise<void> {
  const { payouts } = context
  if (payouts.approvesAfterMs !== undefined) {
    await advance(context, { state: 'pending', action: async () => 'approve', forMs: payouts.approvesAfterMs })
  }
  await advance(context, { state: 'approved', action: async () => 'submit', forMs: 0 })
  await advance(context, { state: 'submitted', action: (payout) => outcomeOf(context, payout), forMs: 0 })
}

async function outcomeOf({ payouts }: Context, { id, updatedAt }: { id: string; updatedAt: Date }): Promise<WithdrawalAction | undefined> {
  const outcome = await payouts.outcome({ id, submittedAt: updatedAt })
  if (outcome === 'submitted') return undefined
  return outcome === 'paid' ? 'mark-paid' : 'mark-failed'
}

type Step = {
  state: WithdrawalState
  forMs: number
  action: (withdrawal: { id: string; updatedAt: Date }) => Promise<WithdrawalAction | undefined>
}

async function advance(context: Context, { state, forMs, action }: Step): Promise<void> {
  for (const withdrawal of await findWithdrawalsIn(context.sql, { state, forMs })) {
    const next = await action(withdrawal)
    if (next) await actUnlessMoved(context, { id: withdrawal.id, action: next })
  }
}

/** The user, an operator or another process may have been first, or a refund left something owed: then there is nothing to do now. */
async function actUnlessMoved(context: Context, { id, action }: { id: string; action: WithdrawalAction }): Promise<void> {
  try {
    await actOnWithdrawal(context, { id, action, actor: 'system' })
  } catch (error) {
    if (!(error instanceof Refusal && ['withdrawal-state', 'withdrawals-frozen'].includes(error.code))) throw error
  }
}
