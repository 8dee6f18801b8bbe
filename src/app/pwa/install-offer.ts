/**
 * The browser's offer to install the app: an event that fires once, often before the app is loaded.
 */
export type InstallOffer = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

declare global {
  interface Window {
    /** The offer that came before the app was loaded. */
    earlyInstallOffer?: Event
  }
}

let offer: InstallOffer | undefined
const listeners = new Set<() => void>()

/**
 * Takes the offer recorded by the page's script, and later ones. Suppresses the browser's own bar,
 * because the card replaces it.
 */
export function catchInstallOffer(): void {
  const take = (event: Event | undefined) =>
    change(event && isInstallOffer(event) ? event : undefined)
  take(window.earlyInstallOffer)
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    take(event)
  })
  window.addEventListener('appinstalled', () => change(undefined))
}

export function currentInstallOffer(): InstallOffer | undefined {
  return offer
}

export function onInstallOffer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Removes the offer, because each can be used only once. */
export function spendInstallOffer(): void {
  change(undefined)
}

function isInstallOffer(event: Event): event is InstallOffer {
  return 'prompt' in event
}

function change(next: InstallOffer | undefined): void {
  offer = next
  for (const listener of listeners) listener()
}
