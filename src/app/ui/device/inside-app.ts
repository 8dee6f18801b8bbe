/**
 * Whether the browser's Back leads to another screen of the app. Read from the history entry's
 * state, where navigations write it.
 */
export function isInsideApp(): boolean {
  const state = history.state as { isInside?: boolean } | null
  return state?.isInside ?? document.referrer.startsWith(`${location.origin}/`)
}
