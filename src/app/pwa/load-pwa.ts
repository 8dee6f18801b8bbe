import type { QueryClient } from '@tanstack/react-query'
import { restoreLastKnown } from './last-known.ts'
import { startPwa } from './start-pwa.tsx'

/**
 * A page without data is the shell from the worker's cache; the answers stored on this device are
 * restored before the first paint.
 */
export async function restoreIntoShell(client: QueryClient): Promise<void> {
  await restoreLastKnown(client).catch((error: unknown) =>
    console.warn('Figures not restored.', error),
  )
}

/** Starts the installable app's own work late, so that it does not delay the first screen. */
export function startPwaAfterLoad(client: QueryClient): void {
  if (document.readyState === 'complete') startPwa(client)
  else window.addEventListener('load', () => startPwa(client), { once: true })
}
