import { requestKind } from '../request-kind.ts'

declare const self: ServiceWorkerGlobalScope

// Written in by the build: its name, the files of the shell, and the other files of the app.
declare const BUILD: string
declare const SHELL: readonly string[]
declare const THE_REST: readonly string[]

const PAGE = '/index.html'
const CACHE = `app-${BUILD}`

/** This build and the one before it: a tab that was not reloaded yet still finds the files it was built with. */
const BUILDS_KEPT = 2

/** A network that is there but does not answer is as good as none. */
const NETWORK_PATIENCE_MS = 4_000

const shell = SHELL

self.addEventListener('install', (event) => event.waitUntil(Promise.all(shell.map(keep))))

self.addEventListener('activate', (event) => event.waitUntil(takeOver()))

self.addEventListener('message', (event) => {
  if (event.data === 'skip-waiting') event.waitUntil(self.skipWaiting())
  // A page that was being loaded while this worker took over was overlooked then.
  if (event.data === 'page-is-here') event.waitUntil(Promise.allSettled([self.clients.claim(), ...THE_REST.map(keep)]))
})

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const kind = requestKind({ method, mode, url, origin: self.location.origin }, shell)
  if (kind === 'screen') event.respondWith(answerScreen(event))
  else if (kind !== 'network') event.respondWith(answerFile(event.request))
})

/** Puts a file into the cache. One that an older build had under the same hash is not fetched again. */
async function keep(path: string): Promise<void> {
  const cache = await caches.open(CACHE)
  if ((await cache.match(path)) !== undefined) return
  const isHashed = path.startsWith('/assets/')
  const response = (isHashed ? await caches.match(path) : undefined) ?? (await fetch(path, { cache: isHashed ? 'default' : 'reload' }))
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  await cache.put(path, response)
}

/** Also the page that registered this worker is served by it from now on, so that an update during a first visit has something to replace. */
async function takeOver(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith('app-') && name !== CACHE)
  await Promise.all(others.slice(0, others.length - BUILDS_KEPT + 1).map((name) => caches.delete(name)))
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/** The network's page, which carries the user's own data and is never stored; where there is none, the shell without anybody's. */
async function answerScreen(event: FetchEvent): Promise<Response> {
  const stored = async () => (await caches.match(PAGE, { cacheName: CACHE })) ?? Response.error()
  const fromNetwork = async () => ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request)
  try {
    const page = await Promise.race([fromNetwork(), patience()])
    return page === undefined || page.status >= 500 ? await stored() : page
  } catch {
    return stored()
  }
}

function patience(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, NETWORK_PATIENCE_MS, undefined))
}

async function answerFile(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const own = await caches.open(CACHE)
  const stored = (await own.match(pathname, MATCH)) ?? (await caches.match(pathname, MATCH))
  if (stored !== undefined) return stored
  const response = await fetch(request)
  if (response.ok && response.type === 'basic') await own.put(pathname, response.clone())
  return response
}

/** A file is what its path says, whatever headers it was asked with. */
const MATCH = { ignoreVary: true }
