const KEY = 'install-dismissed-at'
const HIDDEN_MS = 7 * 24 * 3_600_000

/** Hidden for seven days after the last dismissal, then shown again. An invalid or future time hides nothing. */
export function isHiddenAt({ dismissedAt, now }: { dismissedAt: string | null; now: Date }): boolean {
  if (dismissedAt === null) return false
  const passedMs = now.getTime() - Date.parse(dismissedAt)
  return passedMs >= 0 && passedMs < HIDDEN_MS
}

export function isHiddenNow(): boolean {
  return isHiddenAt({ dismissedAt: stored(), now: new Date() })
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
    localStorage.setItem(KEY, new Date().toISOString())
  } catch (error) {
    unlessDenied(error)
  }
}

/** Browsers may deny storage: then the dismissal lasts until the page is closed. */
function unlessDenied(error: unknown): null {
  if (error instanceof DOMException) return null
  throw error
}
