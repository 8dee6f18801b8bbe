import type { WithdrawalTerms } from '#contract/withdrawals.ts'
import { expectedArrival } from '#core/withdrawals/arrival.ts'
import { t } from '#words/words.ts'
import { deviceTime } from '#app/ui/device/clock.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { useDates, utcDayText } from '#app/ui/device/dates.ts'
import { ReceiptLine } from '#app/ui/money/receipt.tsx'

const HOUR_MS = 3_600_000

/** When money requested now is sent, and when it reaches the bank: 'Nov 24, 2026 to Nov 26, 2026'. */
export function Arrival({ terms }: { terms: WithdrawalTerms | undefined }) {
  // To the hour: the value must not change while the screen renders.
  const hour = useDeviceFact({ onDevice: () => Math.floor(deviceTime().getTime() / HOUR_MS), onPage: ({ at }) => Math.floor(Date.parse(at) / HOUR_MS) })
  const { momentText } = useDates()
  const delayHours = terms?.delayHours ?? 0
  const heldUntilMs = terms?.hold ? Date.parse(terms.hold.until) : 0
  // A delay that the user chose ends within the hour that is shown.
  const sentMs = Math.max((hour + delayHours + (delayHours > 0 ? 1 : 0)) * HOUR_MS, heldUntilMs)
  const { first, last } = expectedArrival(sentMs)
  return (
    <>
      {(delayHours > 0 || heldUntilMs > 0) && <ReceiptLine label={t('Will be sent after')}>{momentText(new Date(sentMs).toISOString())}</ReceiptLine>}
      <ReceiptLine label={t('Arrival')}>{t('{first} to {last}', { first: utcDayText(first.toISOString()), last: utcDayText(last.toISOString()) })}</ReceiptLine>
    </>
  )
}
