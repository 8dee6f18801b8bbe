import type { QueryClient } from '@tanstack/react-query'

/** A page without data is the shell from the worker's cache: the answers kept on this device are restored before the first paint. */
export async function restoreIntoShell(client: QueryClient): Promise<void> {
  try {
    const { restoreLastKnown } = await import('./last-known.ts')
    await restoreLastKnown(client)
  } catch (error) {
    console.warn('Nothing could be restored.', error)
  }
}

/** Keeps the installable app's own code from delaying the first screen. */
export function startPwaAfterLoad(client: QueryClient): void {
  const start = () =>
    void import('./start-pwa.tsx').then(
      ({ startPwa }) => startPwa(client),
      (error: unknown) => console.error('The installable app could not be started.', error),
    )
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}
