import type { Wait, WaitReason } from '#core/trading/wait.ts'
import { msg, say, tCount } from './words.ts'

/** A waiting time, rounded up: '40 seconds', '5 minutes', '23 hours'. */
export function waitText(seconds: number): string {
  if (seconds <= 90)
    return tCount(whole(seconds), { one: '{count} second', other: '{count} seconds' })
  if (seconds <= 90 * 60)
    return tCount(whole(seconds / 60), { one: '{count} minute', other: '{count} minutes' })
  return tCount(whole(seconds / 3_600), { one: '{count} hour', other: '{count} hours' })
}

function whole(amount: number): number {
  return Math.max(1, Math.ceil(amount))
}

const REASONS: Record<WaitReason, string> = {
  closed: msg('The exchange has stopped trading {pair}.'),
  unfilled: msg('There are too few buyers for the coins of {pair} at the market price.'),
  'no-price': msg('{pair} has no current price.'),
  unknown: msg('The exchange has not confirmed how an order of {pair} ended.'),
}

/** The reason why coins of a pair cannot be sold. */
export function waitReasonText({ reason, pair }: { reason: Wait['reason']; pair: string }): string {
  return say(REASONS[reason], { pair })
}
