import { Refusal } from '#core/refusal.ts'
import type { WithdrawalAction } from '#core/withdrawals/withdrawal.ts'
import type { Context } from '#server/context.ts'
import { actOnWithdrawal } from './act-on-withdrawal.ts'
import type { Outcome, Payout } from './payouts.ts'
import { unseal } from './sealed.ts'
import { findPayee, findWithdrawalsIn, setReference, takePayouts, type StoredPayout } from './store.ts'

/** A bank may send a payout back for so long after it arrived. */
const RETURN_DAYS = 10
/** Between two questions about one that arrived. */
const RETURN_ASKED_MS = 3_600_000

/** Takes every open withdrawal as far as the payout provider and the rules allow. Safe to run anywhere, any number of times. */
export async function payOut(context: Context): Promise<void> {
  const { payouts, sql } = context
  if (payouts.approvesAfterMs !== undefined) {
    for (const { id } of await findWithdrawalsIn(sql, { state: 'pending', forMs: payouts.approvesAfterMs })) await act(context, id, 'approve')
  }
  if (!payouts.outcome) return
  // Submitted first, handed over afterwards: what breaks in between is asked about, never forgotten.
  for (const { id } of await findWithdrawalsIn(sql, { state: 'approved', forMs: 0 })) await act(context, id, 'submit')
  const pending = await takePayouts(sql, { state: 'submitted', askedBeforeMs: payouts.asksEveryMs ?? 0 })
  const arrived = payouts.asksEveryMs === undefined ? [] : await takePayouts(sql, { state: 'paid', askedBeforeMs: RETURN_ASKED_MS, withinDays: RETURN_DAYS })
  for (const payout of [...pending, ...arrived]) await follow(context, payout)
}

/** Asks the provider about one payout. A provider that is away holds up nothing but this one. */
async function follow(context: Context, stored: StoredPayout): Promise<void> {
  const { id, state } = stored
  try {
    const outcome = await context.payouts.outcome?.(payoutOf(context, stored))
    if (outcome?.reference !== undefined && outcome.reference !== stored.reference) await setReference(context.sql, { id, reference: outcome.reference })
    const next = outcome && nextAction(state, outcome.status)
    if (next) await act(context, id, next)
  } catch (error) {
    context.log.warn({ err: error, withdrawalId: id }, 'it is not known what became of a payout; it is asked about again')
  }
}

/** What came back before we knew that it had arrived has failed. */
function nextAction(state: StoredPayout['state'], status: Outcome['status']): WithdrawalAction | undefined {
  if (state === 'paid') return status === 'returned' ? 'mark-returned' : undefined
  if (status === 'submitted') return undefined
  return status === 'paid' ? 'mark-paid' : 'mark-failed'
}

function payoutOf({ sql, config }: Context, { id, userId, amount, reference, submittedAt }: StoredPayout): Payout {
  const payee = async () => {
    const { accountNumberSealed, ...found } = await findPayee(sql, id)
    return { ...found, accountNumber: unseal({ sealed: accountNumberSealed, userId, secret: config.SESSION_SECRET }) }
  }
  return { id, userId, amount, reference, submittedAt, payee }
}

/** The user, an operator or another process may have been first, or a refund left something owed: then there is nothing to do now. */
async function act(context: Context, id: string, action: WithdrawalAction): Promise<void> {
  try {
    await actOnWithdrawal(context, { id, action, actor: 'system' })
  } catch (error) {
    if (!(error instanceof Refusal && ['withdrawal-state', 'withdrawals-frozen'].includes(error.code))) throw error
  }
}
