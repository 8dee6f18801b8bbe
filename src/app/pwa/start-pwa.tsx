import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { language } from '#words/language.ts'
import { t } from '#words/words.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { confirmLastKnown, keepLastKnown, restoreLastKnown } from './last-known.ts'
import { listenToOtherTabs } from './other-tabs.ts'
import { PwaLayer } from './pwa-layer.tsx'
import { watchUpdates, type Updates } from './worker-updates.ts'

export function startPwa(client: QueryClient): void {
  const render = openLayer(client)
  keepLastKnown(client)
  listenToOtherTabs(() => client.getQueryData<{ id: string } | null>(['getUser'])?.id ?? null)
  followConnection(client)
  window.addEventListener('appinstalled', () =>
    showToast({
      title: t('App Installed Successfully!'),
      description: t('Trading Bot is now available on your device.'),
    }),
  )
  if (!('serviceWorker' in navigator)) return console.info('No offline use without TLS.')
  watchUpdates(navigator.serviceWorker).then(render, (error: unknown) =>
    console.error('The service worker could not be registered.', error),
  )
  void greetWorker(navigator.serviceWorker)
}

/** A React root of its own, so that an error here does not affect the app. */
function openLayer(client: QueryClient): (updates?: Updates) => void {
  const place = document.createElement('div')
  place.className = 'contents'
  document.body.prepend(place)
  const root = createRoot(place)
  const render = (updates?: Updates) =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <PwaLayer updates={updates} />
        </QueryClientProvider>
      </StrictMode>,
    )
  render()
  return render
}

/**
 * Without a network, screens that were not opened since the page was loaded show the answers stored
 * on this device.
 */
function followConnection(client: QueryClient): void {
  const restore = () =>
    restoreLastKnown(client).catch((error: unknown) => console.warn('Figures not restored.', error))
  window.addEventListener('offline', () => void restore())
  window.addEventListener('online', () => void confirmLastKnown(client))
  // The network may have been lost before these listeners were added.
  void (navigator.onLine ? confirmLastKnown(client) : restore())
}

/**
 * Tells the worker that this page is open. The worker then serves the page, and caches the other
 * screens and the page's words for use without a network.
 */
async function greetWorker(container: ServiceWorkerContainer): Promise<void> {
  const { active } = await container.ready
  active?.postMessage({ language: language() })
}
