import { steadyMs } from '#app/ui/device/clock.ts'

const WORKER = '/sw.js'

/**
 * Interval of reloads until the page is replaced. Needed if the new worker does not take over:
 * pages are fetched from the network first, so a reload also gets the new version. In Chromium, a
 * reload while the workers change may hang; the next reload succeeds.
 */
const RELOAD_INTERVAL_MS = 6_000
const CHECK_INTERVAL_MS = 3_600_000

export type Updates = {
  isReady: () => boolean
  onChange: (listener: () => void) => () => void
  apply: () => void
}

/**
 * Registers the worker and watches for newer ones: one already waiting when this page was loaded,
 * and one that arrives during the first visit. If another tab applies the update, this tab offers
 * it too and does not reload by itself, so that no form is lost.
 */
export async function watchUpdates(container: ServiceWorkerContainer): Promise<Updates> {
  const listeners = new Set<() => void>()
  let ready = false
  let applying = false
  let isControlled = container.controller !== null
  const flag = () => {
    ready = true
    for (const listener of listeners) listener()
  }
  const reload = () => location.reload()
  container.addEventListener('controllerchange', () => {
    if (applying) reload()
    else if (isControlled) flag()
    isControlled = true
  })
  const registration = await container.register(WORKER)
  const watch = (worker: ServiceWorker | null) =>
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && isReplacing(registration, worker)) flag()
    })
  registration.addEventListener('updatefound', () => watch(registration.installing))
  watch(registration.installing)
  if (isReplacing(registration, registration.waiting)) flag()
  checkOnReturn(registration)
  return {
    isReady: () => ready,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    apply: () => {
      applying = true
      const { waiting } = registration
      if (waiting === null) return reload()
      waiting.postMessage('skip-waiting')
      setInterval(reload, RELOAD_INTERVAL_MS)
    },
  }
}

/**
 * Whether the worker replaces another one. The first worker of a device does not, so it is no new
 * version.
 */
function isReplacing({ active }: ServiceWorkerRegistration, worker: ServiceWorker | null): boolean {
  return worker !== null && active !== null && active !== worker
}

/**
 * Checks for updates when the app becomes visible again, at most once an hour, because an installed
 * app may stay open for weeks without a navigation.
 */
function checkOnReturn(registration: ServiceWorkerRegistration): void {
  let checkedMs = steadyMs()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' || steadyMs() - checkedMs < CHECK_INTERVAL_MS) return
    checkedMs = steadyMs()
    registration.update().catch((error: unknown) => console.warn('Update check failed.', error))
  })
}
