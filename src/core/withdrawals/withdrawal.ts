import type { Movement } from '#core/ledger/transfer.ts'
import {
  payoutFailed,
  payoutPaid,
  payoutReturned,
  payoutSubmitted,
  withdrawalReleased,
} from '#core/ledger/movements.ts'
import { maximum, ONE, type Units } from '#core/money/amount.ts'
import { ceilToCents } from '#core/money/cents.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'
import { utcMinuteText } from '#core/utc-text.ts'
import { isUnsentWait } from './payout-wait.ts'

/** USD. */
export const MINIMUM_WITHDRAWAL: Units = 10n * ONE

export type WithdrawalState =
  | 'pending'
  | 'in_review'
  | 'approved'
  | 'submitted'
  | 'paid'
  | 'failed'
  | 'returned'
  | 'canceled'
  | 'rejected'

/** 'disown': the owner reports that somebody else requested it. */
export type WithdrawalAction =
  | 'review'
  | 'approve'
  | 'reject'
  | 'cancel'
  | 'disown'
  | 'submit'
  | 'mark-paid'
  | 'mark-failed'
  | 'mark-returned'

/**
 * A recent card deposit. Until `until`, its amount cannot be withdrawn from the cash, even if the
 * deposit was invested meanwhile.
 */
export type DepositOnHold = { amount: Units; until: Date }

export type WithdrawalTerms = {
  available: Units
  /** Debt from refunds and disputes. Above 0, nothing can be withdrawn. */
  owed: Units
  holds: readonly DepositOnHold[]
}

/**
 * Refuses in the order of the specification: no amount (undefined: unreadable text), above the
 * available balance, below the minimum. A debt is checked before the balance, because it explains
 * why nothing is available; a hold is checked last.
 */
export function checkWithdrawal({
  amount,
  ...terms
}: WithdrawalTerms & { amount: Units | undefined }): void {
  const field = 'amount'
  if (amount === undefined || amount <= 0n)
    throw new Refusal('withdrawal-amount-invalid', { field })
  refuseDebtor(terms.owed)
  if (amount > terms.available) throw new Refusal('withdrawal-above-available', { field })
  if (amount < MINIMUM_WITHDRAWAL) {
    throw new Refusal('withdrawal-below-minimum', {
      field,
      values: { minimum: englishMoneyText({ amount: MINIMUM_WITHDRAWAL, precision: 'whole' }) },
    })
  }
  const from = freeFrom({ amount, ...terms })
  if (from)
    throw new Refusal('withdrawal-on-hold', {
      field,
      values: {
        from: utcMinuteText(from),
        withdrawable: englishMoneyText({ amount: withdrawableOf(terms) }),
      },
    })
}

/** Refuses if the user owes money. Checked on request, on approval and before sending. */
export function refuseDebtor(owed: Units): void {
  if (owed > 0n)
    throw new Refusal('withdrawals-frozen', {
      values: { owed: englishMoneyText({ amount: ceilToCents(owed) }) },
    })
}

export function withdrawableOf({
  available,
  holds,
}: Pick<WithdrawalTerms, 'available' | 'holds'>): Units {
  return maximum(0n, available - holds.reduce((sum, { amount }) => sum + amount, 0n))
}

/** The time from which the available `amount` can be withdrawn; undefined if it can be now. */
function freeFrom({
  amount,
  available,
  holds,
}: Pick<WithdrawalTerms, 'available' | 'holds'> & { amount: Units }): Date | undefined {
  if (withdrawableOf({ available, holds }) >= amount) return undefined
  const ending = holds.toSorted((a, b) => a.until.getTime() - b.until.getTime())
  return ending
    .map(({ until }) => until)
    .find((_, index) => withdrawableOf({ available, holds: ending.slice(index + 1) }) >= amount)
}

type Step = {
  from: readonly WithdrawalState[]
  to: WithdrawalState
  moves?: (of: { userId: string; amount: Units }) => Movement
}

const STEPS: Record<WithdrawalAction, Step> = {
  review: { from: ['pending'], to: 'in_review' },
  approve: { from: ['pending', 'in_review'], to: 'approved' },
  reject: { from: ['pending', 'in_review'], to: 'rejected', moves: withdrawalReleased },
  cancel: { from: ['pending', 'in_review'], to: 'canceled', moves: withdrawalReleased },
  disown: { from: ['pending', 'in_review', 'approved'], to: 'canceled', moves: withdrawalReleased },
  submit: { from: ['approved'], to: 'submitted', moves: payoutSubmitted },
  'mark-paid': { from: ['submitted'], to: 'paid', moves: payoutPaid },
  'mark-failed': { from: ['submitted'], to: 'failed', moves: payoutFailed },
  'mark-returned': { from: ['paid'], to: 'returned', moves: payoutReturned },
}

/** Submitted, but the provider has certainly sent nothing. */
const RECALL: Step = { from: ['submitted'], to: 'canceled', moves: payoutFailed }

type Standing = { state: WithdrawalState; waitsFor: string | null }

const isRecallable = ({ state, waitsFor }: Standing): boolean =>
  state === 'submitted' && isUnsentWait(waitsFor)

/** The next state and the money that moves. Refuses actions that the state does not allow. */
export function advanceWithdrawal(
  { userId, amount, ...standing }: Standing & { userId: string; amount: Units },
  action: WithdrawalAction,
): { state: WithdrawalState; movement: Movement | undefined } {
  const { state } = standing
  const isStopped = action === 'cancel' || action === 'disown'
  const step = isStopped && isRecallable(standing) ? RECALL : STEPS[action]
  if (!step.from.includes(state)) {
    throw new Refusal(action === 'cancel' ? 'withdrawal-not-cancelable' : 'withdrawal-state')
  }
  return { state: step.to, movement: step.moves?.({ userId, amount }) }
}

export function shownStatus(
  state: WithdrawalState,
): 'pending' | 'processing' | 'completed' | 'failed' {
  if (state === 'pending' || state === 'in_review') return 'pending'
  if (state === 'approved' || state === 'submitted') return 'processing'
  return state === 'paid' ? 'completed' : 'failed'
}

export function isCancelable(standing: Standing): boolean {
  return STEPS.cancel.from.includes(standing.state) || isRecallable(standing)
}

/** Whether 'This was not me' cancels it. */
export function isDisowned(standing: Standing): boolean {
  return isUnsent(standing.state) || isRecallable(standing)
}

export function isUnsent(state: WithdrawalState): boolean {
  return STEPS.disown.from.includes(state)
}
