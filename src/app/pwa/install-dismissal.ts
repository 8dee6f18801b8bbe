import { deviceTime, isRecent } from '#app/ui/device/clock.ts'

const KEY = 'install-dismissed-at'
const HIDDEN_MS = 7 * 24 * 3_600_000

/** Hidden for seven days after the last dismissal, then shown again. An invalid or future time hides nothing. */
export function isHiddenAt({ dismissedAt, now }: { dismissedAt: string | null; now: Date }): boolean {
  return dismissedAt !== null && isRecent(Date.parse(dismissedAt), { withinMs: HIDDEN_MS, now })
}

export function isHiddenNow(): boolean {
  return isHiddenAt({ dismissedAt: stored(), now: deviceTime() })
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch (error) {
    return unlessDenied(error)
  }
}

export function dismissNow(): void {
  try {
    localStorage.setItem(KEY, deviceTime().toISOString())
  } catch (error) {
    unlessDenied(error)
  }
}

/** Browsers may deny storage: then the dismissal lasts until the page is closed. */
function unlessDenied(error: unknown): null {
  if (error instanceof DOMException) return null
  throw error
}
