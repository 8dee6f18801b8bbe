import { deviceTime, isRecent } from '#app/ui/device/clock.ts'
import { storedText, storeText } from '#app/ui/device/storage.ts'

const KEY = 'install-dismissed-at'
const HIDDEN_MS = 7 * 24 * 3_600_000

/**
 * Whether the card is hidden: for seven days after the last dismissal. An invalid or future time is
 * ignored.
 */
export function isHiddenAt({
  dismissedAt,
  now,
}: {
  dismissedAt: string | null
  now: Date
}): boolean {
  return dismissedAt !== null && isRecent(Date.parse(dismissedAt), { withinMs: HIDDEN_MS, now })
}

export function isHiddenNow(): boolean {
  return isHiddenAt({ dismissedAt: storedText('localStorage', KEY) ?? null, now: deviceTime() })
}

/** If the browser stores nothing, the dismissal lasts until the page is closed. */
export function dismissNow(): void {
  storeText('localStorage', KEY, deviceTime().toISOString())
}
