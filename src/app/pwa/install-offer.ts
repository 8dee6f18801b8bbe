/** The browser's offer to install the app: an event that comes once, often before anything else is loaded. */
export type InstallOffer = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

let offer: InstallOffer | undefined
const listeners = new Set<() => void>()

/** Must run early, or the offer is missed. Keeps the browser's own bar away: the card asks instead. */
export function catchInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    change(isInstallOffer(event) ? event : undefined)
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

/** An offer can be taken up once. */
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
