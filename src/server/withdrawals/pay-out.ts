import { assert } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { isUnsentWait, type PayoutWait } from '#core/withdrawals/payout-wait.ts'
import type { WithdrawalAction } from '#core/withdrawals/withdrawal.ts'
import type { Context } from '#server/context.ts'
import type { PayoutOutcome, Payout, Payouts } from '#server/ports/payouts.ts'
import { unseal } from '#server/kernel/sealed.ts'
import { actOnWithdrawal } from './act-on-withdrawal.ts'
import { refuseHaltedPayouts } from './halt-payouts.ts'
import {
  findDue,
  setReference,
  setWaitsFor,
  takePayout,
  type Due,
  type DueWithdrawal,
  type Polling,
} from './payout-store.ts'
import {
  confirmPayouts,
  onlyRefusal,
  refuseUnsubmitted,
  type Confirmations,
} from './prove-payout.ts'
import type { WithdrawalKey } from './store.ts'

/**
 * Takes open withdrawals as far as the provider and the rules allow. Safe to run anywhere, any
 * number of times. Payouts submitted to an earlier provider are left alone.
 */
export async function payOut(context: Context): Promise<void> {
  for (const due of dueSteps(context.payouts)) {
    const found = await findDue(context.sql, due)
    const confirmed =
      due.state === 'approved'
        ? await confirmPayouts(context, found, 'quick').catch(onlyRefusal)
        : undefined
    for (const withdrawal of found) {
      const proof = confirmed instanceof Refusal ? confirmed : confirmed?.get(withdrawal.id)
      await takeStep(context, { due, withdrawal, proof })
    }
  }
}

/**
 * The steps that withdrawals can take at this provider. A payout is marked submitted before it is
 * handed over, so that an interrupted one is polled, never forgotten. A bank may return one for ten
 * days after it arrived, so it is polled every hour.
 */
function* dueSteps({ provider, approvesAfterMs, outcome, pollEveryMs }: Payouts): Iterable<Due> {
  if (approvesAfterMs !== undefined) yield { state: 'pending', forMs: approvesAfterMs }
  if (!outcome) return
  yield { state: 'approved', forMs: 0 }
  yield { state: 'submitted', provider, unpolledMs: pollEveryMs ?? 0, withinDays: 365 }
  if (pollEveryMs !== undefined)
    yield { state: 'paid', provider, unpolledMs: 3_600_000, withinDays: 10 }
}

type Step = {
  due: Due
  withdrawal: DueWithdrawal
  proof: Confirmations | Refusal | undefined
}

/**
 * Skips a withdrawal that somebody else has acted on, or whose owner is in debt, frozen or has to
 * wait. A refused submission waits, with the reason. A failed poll delays only this payout.
 */
async function takeStep(context: Context, { due, withdrawal, proof }: Step): Promise<void> {
  const { userId, id } = withdrawal
  try {
    if (proof instanceof Refusal) throw proof
    const step =
      'forMs' in due ? { action: STEP_FROM[due.state] } : await poll(context, due, withdrawal)
    const confirmed = proof && { confirmed: proof }
    if (step) await actOnWithdrawal(context, { userId, id, actor: 'system', ...step, ...confirmed })
  } catch (error) {
    if (error instanceof Refusal && NOT_NOW.has(error.code)) return
    if (due.state === 'approved') return waitFor(context, withdrawal, error)
    if (due.state === 'pending') throw error
    const err = { err: error, withdrawalId: id }
    context.log.warn(err, 'the outcome of a payout is unknown; it is polled again')
    if (due.state === 'submitted' && !isUnsent(withdrawal))
      await setWaitsFor(context.sql, { userId, id, reason: reasonOf(error) })
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : ('unknown' satisfies PayoutWait)

/**
 * The state is certain if the payout was never polled, or if the provider's last answer proved it.
 */
const isUnsent = ({ isNew, waitsFor }: Pick<DueWithdrawal, 'isNew' | 'waitsFor'>): boolean =>
  isNew || isUnsentWait(waitsFor)

const STEP_FROM = { pending: 'approve', approved: 'submit' } as const

const NOT_NOW: ReadonlySet<string> = new Set([
  'withdrawal-state',
  'withdrawals-frozen',
  'withdrawals-waiting',
  'withdrawals-locked',
  'account-frozen',
])

/** Hands a payout over to the provider, or polls its outcome. Returns the step that follows. */
async function poll(
  context: Context,
  due: Polling,
  withdrawal: DueWithdrawal,
): Promise<{ action: WithdrawalAction; note?: string } | undefined> {
  const { userId, id } = withdrawal
  const payout = payoutOf(withdrawal, context.config.SESSION_SECRET)
  if (due.state === 'submitted') {
    await refuseHaltedPayouts(context)
    await refuseUnsubmitted(context, { ...withdrawal, account: context.payouts.account })
  }
  if (!(await takePayout(context.sql, withdrawal, due))) return undefined
  const outcome = await context.payouts.outcome?.(payout)
  const { reference, waits, reason } = outcome ?? {}
  if (waits !== undefined) await setWaitsFor(context.sql, { userId, id, reason: waits })
  if (reference !== undefined && reference !== withdrawal.reference) {
    const store = { userId, id, reference }
    const isOurs = await context.atomically(({ sql }) => setReference(sql, store))
    assert(isOurs, `the provider uses the reference ${reference} for two payouts`)
  }
  const action = outcome && STEP_AFTER[due.state][outcome.status]
  return action && { action, ...(reason !== undefined && { note: reason }) }
}

/** A payout that was returned before we saw it arrive counts as failed. */
const STEP_AFTER: Record<
  Polling['state'],
  Partial<Record<PayoutOutcome['status'], WithdrawalAction>>
> = {
  submitted: { paid: 'mark-paid', failed: 'mark-failed', returned: 'mark-failed' },
  paid: { returned: 'mark-returned' },
}

function payoutOf(withdrawal: DueWithdrawal, secret: string): Payout {
  const {
    id,
    userId,
    amount,
    reference,
    updatedAt,
    accountNumberSealed: sealed,
    waitsFor,
    isNew,
    ...payee
  } = withdrawal
  return {
    id,
    userId,
    amount,
    reference,
    submittedAt: updatedAt,
    isUnsent: isUnsent({ isNew, waitsFor }),
    payee: () => ({ ...payee, accountNumber: unseal({ sealed, userId, secret }) }),
  }
}

/** Notes why an approved withdrawal waits. Rethrows errors that are not refusals. */
export async function waitFor(
  { sql, log }: Context,
  { userId, id, waitsFor }: WithdrawalKey & { waitsFor?: string | null },
  error: unknown,
): Promise<void> {
  const { code, message } = onlyRefusal(error)
  const reason = code === 'payment-provider-away' ? 'The card provider does not answer.' : message
  await setWaitsFor(sql, { userId, id, reason })
  if (reason !== waitsFor) log.warn({ withdrawalId: id, reason }, 'a payout waits')
}
