import { expectedArrival } from '#core/withdrawals/arrival.ts'
import { t } from '#words/words.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
import { utcDayText } from '#app/ui/device/dates.ts'

const HOUR_MS = 3_600_000

/** When money requested now reaches the bank: 'Nov 24, 2026 to Nov 26, 2026'. */
export function Arrival() {
  // To the hour: the value must not change while the screen renders.
  const hour = useDeviceFact({ onDevice: () => Math.floor(Date.now() / HOUR_MS), onPage: ({ at }) => Math.floor(Date.parse(at) / HOUR_MS) })
  const { first, last } = expectedArrival(hour * HOUR_MS)
  return t('{first} to {last}', { first: utcDayText(first.toISOString()), last: utcDayText(last.toISOString()) })
}
