import { useEffect } from 'react'

const PATH = '/deposit'

/**
 * Where cards go through Stripe, this screen is a document of its own: the policy of its page alone lets Stripe's scripts in, and with the
 * document they are gone when the screen is left. Answers false while the document is still to come.
 */
export function useOwnDocument(isNeeded: boolean): boolean {
  const isThere = !isNeeded || cameAsDocument()
  useEffect(() => {
    if (!isNeeded) return undefined
    if (!isThere) return location.replace(location.href)
    return () => {
      if (location.pathname !== PATH) location.reload()
    }
  }, [isNeeded, isThere])
  return isThere
}

/** Whether the browser asked the server for this very page, rather than the app for this screen. */
function cameAsDocument(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry === undefined || new URL(entry.name).pathname === PATH
}
