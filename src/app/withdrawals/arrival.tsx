import type { WithdrawalTerms } from '#contract/withdrawals.ts'
import { sentAfterMs } from '#core/withdrawals/arrival.ts'
import { deviceTime } from '#app/ui/device/clock.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { SendingLines } from '#app/ui/money/sending-lines.tsx'

const HOUR_MS = 3_600_000

/** When money requested now is sent, and when it reaches the bank. */
export function Arrival({ terms }: { terms: WithdrawalTerms | undefined }) {
  // To the hour: the value must not change while the screen renders.
  const hour = useDeviceFact({
    onDevice: () => Math.floor(deviceTime().getTime() / HOUR_MS),
    onPage: ({ at }) => Math.floor(Date.parse(at) / HOUR_MS),
  })
  const delayHours = terms?.delayHours ?? 0
  // A delay that the user chose ends within the hour that is shown.
  const waiting = {
    heldUntilMs: terms?.hold ? Date.parse(terms.hold.until) : null,
    delayHours: delayHours > 0 ? delayHours + 1 : 0,
  }
  return (
    <SendingLines
      sendsAfterMs={sentAfterMs(hour * HOUR_MS, waiting)}
      requestedMs={hour * HOUR_MS}
    />
  )
}
