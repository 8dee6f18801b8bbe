import { assert } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import type { WithdrawalAction } from '#core/withdrawals/withdrawal.ts'
import type { Context } from '#server/context.ts'
import type { Outcome, Payout } from '#server/ports/payouts.ts'
import { unseal } from '#server/kernel/sealed.ts'
import { actOnWithdrawal } from './act-on-withdrawal.ts'
import { confirmPayouts, waitFor } from './confirm-payouts.ts'
import { refuseHaltedPayouts } from './halt-payouts.ts'
import { refuseUnsubmitted, type Confirmations } from './prove-payout.ts'
import {
  findPayee,
  findPayouts,
  findWithdrawalsIn,
  setReference,
  takePayout,
  type DuePayouts,
  type StoredPayout,
  type WithdrawalKey,
} from './store.ts'

/** A bank may return a payout this long after it arrived. */
const RETURN_DAYS = 10
/** Poll interval for payouts that have arrived. */
const RETURN_POLL_MS = 3_600_000

/**
 * Takes every open withdrawal as far as the payout provider and the rules allow. Safe to run
 * anywhere, any number of times. A payout that was submitted to another provider than the present
 * one is left alone: the present one does not know it.
 */
export async function payOut(context: Context): Promise<void> {
  const { payouts, sql } = context
  const { provider } = payouts
  if (payouts.approvesAfterMs !== undefined) {
    const due = { state: 'pending', forMs: payouts.approvesAfterMs } as const
    for (const key of await findWithdrawalsIn(sql, due)) await act(context, key, 'approve')
  }
  if (!payouts.outcome) return
  // Submitted first, handed over afterwards: a payout that is interrupted in between is polled,
  // never forgotten.
  await submitAll(context)
  await followAll(context, {
    provider,
    state: 'submitted',
    polledBeforeMs: payouts.pollEveryMs ?? 0,
  })
  if (payouts.pollEveryMs !== undefined)
    await followAll(context, {
      provider,
      state: 'paid',
      polledBeforeMs: RETURN_POLL_MS,
      withinDays: RETURN_DAYS,
    })
}

async function submitAll(context: Context): Promise<void> {
  const approved = await findWithdrawalsIn(context.sql, { state: 'approved', forMs: 0 })
  const confirmed = await confirmPayouts(context, approved, 'quick').catch(
    async (error: unknown) => {
      for (const withdrawal of approved) await waitFor(context, withdrawal, error)
      return new Map<string, Confirmations>()
    },
  )
  for (const withdrawal of approved) {
    const confirmations = confirmed.get(withdrawal.id)
    if (confirmations) await act(context, withdrawal, 'submit', confirmations)
  }
}

async function followAll(context: Context, due: DuePayouts): Promise<void> {
  for (const payout of await findPayouts(context.sql, due)) {
    if (await takePayout(context.sql, payout, due)) await follow(context, payout)
  }
}

/** Polls the provider about one payout. A failure delays only this payout. */
async function follow(context: Context, stored: StoredPayout): Promise<void> {
  const { id, state } = stored
  try {
    if (state === 'submitted') await refuseHaltedPayouts(context)
    if (state === 'submitted') await refuseUnsubmitted(context, context, stored)
    const outcome = await context.payouts.outcome?.(payoutOf(context, stored))
    if (outcome?.reference !== undefined && outcome.reference !== stored.reference)
      await storeReference(context, stored, outcome.reference)
    const next = outcome && nextAction(state, outcome.status)
    if (next) await act(context, stored, next)
  } catch (error) {
    context.log.warn(
      { err: error, withdrawalId: id },
      'the outcome of a payout is unknown; it is polled again',
    )
  }
}

async function storeReference(
  { atomically }: Context,
  { userId, id }: WithdrawalKey,
  reference: string,
): Promise<void> {
  const isOurs = await atomically(({ sql }) => setReference(sql, { userId, id, reference }))
  assert(isOurs, `the provider uses the reference ${reference} for two payouts`)
}

/** A payout that was returned before we saw it arrive counts as failed. */
function nextAction(
  state: StoredPayout['state'],
  status: Outcome['status'],
): WithdrawalAction | undefined {
  if (state === 'paid') return status === 'returned' ? 'mark-returned' : undefined
  if (status === 'submitted') return undefined
  return status === 'paid' ? 'mark-paid' : 'mark-failed'
}

function payoutOf(
  { sql, config }: Context,
  { userId, id, amount, reference, submittedAt }: StoredPayout,
): Payout {
  const payee = async () => {
    const { accountNumberSealed, ...found } = await findPayee(sql, { userId, id })
    return {
      ...found,
      accountNumber: unseal({ sealed: accountNumberSealed, userId, secret: config.SESSION_SECRET }),
    }
  }
  return { id, userId, amount, reference, submittedAt, payee }
}

/**
 * Does nothing if the user, an operator or another process acted first, or if the user is in debt
 * or frozen or withdrawals wait by now.
 */
async function act(
  context: Context,
  { userId, id }: WithdrawalKey,
  action: WithdrawalAction,
  confirmed?: Confirmations,
): Promise<void> {
  try {
    await actOnWithdrawal(context, {
      userId,
      id,
      action,
      actor: 'system',
      ...(confirmed && { confirmed }),
    })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'payout-unproven')
      return waitFor(context, { userId, id }, error)
    if (!(error instanceof Refusal && NOT_NOW.has(error.code))) throw error
  }
}

const NOT_NOW: ReadonlySet<string> = new Set([
  'withdrawal-state',
  'withdrawals-frozen',
  'withdrawals-waiting',
  'withdrawals-locked',
  'account-frozen',
])
