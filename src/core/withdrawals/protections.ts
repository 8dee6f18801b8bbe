import type { Units } from '#core/money/amount.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'
import { utcMinuteText } from '#core/utc-text.ts'
import { MINIMUM_WITHDRAWAL } from './withdrawal.ts'

export const LONGEST_DELAY_HOURS = 48

export type Protections = {
  /** Wait between request and sending. */
  delayHours: number
  /** Within any 24 hours. */
  dailyLimit: Units | undefined
  /** Whether withdrawals go only to bank accounts older than `looseningHours`. */
  allowedOnly: boolean
}

export const NO_PROTECTIONS: Protections = {
  delayHours: 0,
  dailyLimit: undefined,
  allowedOnly: false,
}

/** Refuses a daily limit below the minimum withdrawal. */
export function checkProtections({ dailyLimit }: Pick<Protections, 'dailyLimit'>): void {
  if (dailyLimit !== undefined && dailyLimit < MINIMUM_WITHDRAWAL)
    throw new Refusal('daily-limit-invalid', { field: 'dailyLimit' })
}

/** Stricter values apply now, looser ones later. Threat: a thief removes the protections first. */
export function changeProtections(
  present: Protections,
  wanted: Protections,
): { now: Protections; later: Protections | undefined } {
  const now = {
    delayHours: Math.max(present.delayHours, wanted.delayHours),
    dailyLimit: lower(present.dailyLimit, wanted.dailyLimit),
    allowedOnly: present.allowedOnly || wanted.allowedOnly,
  }
  const isAllNow =
    now.delayHours === wanted.delayHours &&
    now.dailyLimit === wanted.dailyLimit &&
    now.allowedOnly === wanted.allowedOnly
  return { now, later: isAllNow ? undefined : wanted }
}

export function restoredProtections({
  before,
  present,
}: {
  before: Protections
  present: Protections
}): Protections {
  return changeProtections(present, before).now
}

function lower(one: Units | undefined, other: Units | undefined): Units | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

/** Delay before a looser setting applies and a new bank account may be used. */
export function looseningHours(
  { delayHours }: Pick<Protections, 'delayHours'>,
  holdHours: number,
): number {
  return Math.max(delayHours, holdHours)
}

export function leftOf({
  limit,
  requested,
}: {
  limit: Units | undefined
  requested: Units
}): Units | undefined {
  if (limit === undefined) return undefined
  return requested < limit ? limit - requested : 0n
}

export function checkDailyLimit({
  amount,
  left,
}: {
  amount: Units
  left: Units | undefined
}): void {
  if (left !== undefined && amount > left)
    throw new Refusal('withdrawal-above-limit', {
      field: 'amount',
      values: { left: englishMoneyText({ amount: left }) },
    })
}

/**
 * `notAllowedUntil`: null for an account that is old enough. Threat: a thief adds a bank account
 * and withdraws to it.
 */
export function checkAccountAge(
  { allowedOnly }: Pick<Protections, 'allowedOnly'>,
  { notAllowedUntil }: { notAllowedUntil: Date | null },
): void {
  if (allowedOnly && notAllowedUntil)
    throw new Refusal('bank-account-not-allowed', {
      field: 'bankAccountId',
      values: { from: utcMinuteText(notAllowedUntil) },
    })
}
