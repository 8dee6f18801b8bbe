import { deviceTime, isRecent } from '#app/ui/device/clock.ts'
import { storedText, storeText } from '#app/ui/device/storage.ts'

const KEY = 'install-dismissed-at'
const HIDDEN_MS = 7 * 24 * 3_600_000

/**
 * Hidden for seven days after the last dismissal, then shown again. An invalid or future time hides
 * nothing.
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

/** Where the browser stores nothing, the dismissal lasts until the page is closed. */
export function dismissNow(): void {
  storeText('localStorage', KEY, deviceTime().toISOString())
}
