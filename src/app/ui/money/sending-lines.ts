import { expectedArrival } from '#core/withdrawals/arrival.ts'
import { t } from '#words/words.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import type { Line } from './receipt.tsx'

/**
 * When a withdrawal is sent, and when it reaches the bank: the same lines on the review and on the
 * receipt. `sendsAfterMs`: end of its wait; null without one.
 */
export function sendingLines({
  sendsAfterMs,
  requestedMs,
  momentText,
}: {
  sendsAfterMs: number | null
  requestedMs: number
  momentText: (at: string) => string
}): (Line | false)[] {
  return [
    sendsAfterMs !== null && {
      label: t('Will be sent after'),
      value: momentText(new Date(sendsAfterMs).toISOString()),
    },
    {
      label: t('Arrival'),
      value: arrivalText(expectedArrival(Math.max(sendsAfterMs ?? 0, requestedMs))),
    },
  ]
}

export function arrivalText({ first, last }: ReturnType<typeof expectedArrival>): string {
  return t('{first} to {last}', {
    first: utcDayText(first.toISOString()),
    last: utcDayText(last.toISOString()),
  })
}
