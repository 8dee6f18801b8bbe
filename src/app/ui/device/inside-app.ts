/**
 * True if the browser's Back leads to another screen of the app. Navigations write it into the
 * state of their history entries.
 */
export function isInsideApp(): boolean {
  const state = history.state as { isInside?: boolean } | null
  return state?.isInside ?? document.referrer.startsWith(`${location.origin}/`)
}
