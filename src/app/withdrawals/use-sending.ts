import { sentAfterMs } from '#core/withdrawals/arrival.ts'
import type { WithdrawalTerms } from '#contract/withdrawals.ts'
import { deviceTime } from '#app/ui/device/clock.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'

const HOUR_MS = 3_600_000

/** When a withdrawal requested now is sent; `sendsAfterMs` is null without a wait. */
export function useSending(terms: WithdrawalTerms | undefined): {
  sendsAfterMs: number | null
  requestedMs: number
} {
  // Rounded to the hour, so that the value does not change while the screen renders.
  const hour = useDeviceFact({
    onDevice: () => Math.floor(deviceTime().getTime() / HOUR_MS),
    onPage: ({ at }) => Math.floor(Date.parse(at) / HOUR_MS),
  })
  const delayHours = terms?.delayHours ?? 0
  // One hour is added, because the shown hour is rounded down.
  const waiting = {
    heldUntilMs: terms?.hold ? Date.parse(terms.hold.until) : null,
    delayHours: delayHours > 0 ? delayHours + 1 : 0,
  }
  const requestedMs = hour * HOUR_MS
  return { sendsAfterMs: sentAfterMs(requestedMs, waiting), requestedMs }
}
