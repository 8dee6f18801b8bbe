import { assert } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import type { WithdrawalAction } from '#core/withdrawals/withdrawal.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Outcome, Payout } from '#server/ports/payouts.ts'
import { actOnWithdrawal } from './act-on-withdrawal.ts'
import { unseal } from './sealed.ts'
import { findPayee, findPayouts, findWithdrawalsIn, setReference, takePayout, type PayoutsIn, type StoredPayout, type WithdrawalKey } from './store.ts'

/** A bank may send a payout back for so long after it arrived. */
const RETURN_DAYS = 10
/** Between two questions about one that arrived. */
const RETURN_ASKED_MS = 3_600_000

/**
 * Takes every open withdrawal as far as the payout provider and the rules allow. Safe to run anywhere, any number of times. A payout that was
 * submitted to another provider than the present one is left alone: an answer about it would be about nothing, or about another payout.
 */
export async function payOut(context: Context): Promise<void> {
  const { payouts, sql } = context
  const { provider } = payouts
  if (payouts.approvesAfterMs !== undefined) {
    for (const key of await findWithdrawalsIn(sql, { state: 'pending', forMs: payouts.approvesAfterMs })) await act(context, key, 'approve')
  }
  if (!payouts.outcome) return
  // Submitted first, handed over afterwards: what breaks in between is asked about, never forgotten.
  for (const key of await findWithdrawalsIn(sql, { state: 'approved', forMs: 0 })) await act(context, key, 'submit')
  await followAll(context, { provider, state: 'submitted', askedBeforeMs: payouts.asksEveryMs ?? 0 })
  if (payouts.asksEveryMs !== undefined) await followAll(context, { provider, state: 'paid', askedBeforeMs: RETURN_ASKED_MS, withinDays: RETURN_DAYS })
}

async function followAll(context: Context, asked: PayoutsIn): Promise<void> {
  for (const payout of await findPayouts(context.sql, asked)) {
    if (await takePayout(context.sql, payout, asked)) await follow(context, payout)
  }
}

/** Asks the provider about one payout. A provider that is away holds up nothing but this one. */
async function follow(context: Context, stored: StoredPayout): Promise<void> {
  const { id, state } = stored
  try {
    const outcome = await context.payouts.outcome?.(payoutOf(context, stored))
    if (outcome?.reference !== undefined && outcome.reference !== stored.reference) await learnReference(context, stored, outcome.reference)
    const next = outcome && nextAction(state, outcome.status)
    if (next) await act(context, stored, next)
  } catch (error) {
    context.log.warn({ err: error, withdrawalId: id }, 'it is not known what became of a payout; it is asked about again')
  }
}

async function learnReference({ sql }: Context, { userId, id }: WithdrawalKey, reference: string): Promise<void> {
  const isOurs = await atomically(sql, (tx) => setReference(tx, { userId, id, reference }))
  assert(isOurs, `the provider calls two payouts ${reference}`)
}

/** What came back before we knew that it had arrived has failed. */
function nextAction(state: StoredPayout['state'], status: Outcome['status']): WithdrawalAction | undefined {
  if (state === 'paid') return status === 'returned' ? 'mark-returned' : undefined
  if (status === 'submitted') return undefined
  return status === 'paid' ? 'mark-paid' : 'mark-failed'
}

function payoutOf({ sql, config }: Context, { userId, id, amount, reference, submittedAt }: StoredPayout): Payout {
  const payee = async () => {
    const { accountNumberSealed, ...found } = await findPayee(sql, { userId, id })
    return { ...found, accountNumber: unseal({ sealed: accountNumberSealed, userId, secret: config.SESSION_SECRET }) }
  }
  return { id, userId, amount, reference, submittedAt, payee }
}

/** The user, an operator or another process may have been first, or a refund left something owed: then there is nothing to do now. */
async function act(context: Context, { userId, id }: WithdrawalKey, action: WithdrawalAction): Promise<void> {
  try {
    await actOnWithdrawal(context, { userId, id, action, actor: 'system' })
  } catch (error) {
    if (!(error instanceof Refusal && ['withdrawal-state', 'withdrawals-frozen'].includes(error.code))) throw error
  }
}
