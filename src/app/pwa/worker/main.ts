import { readPushMessage } from '../push-message.ts'
import { requestKind } from '../request-kind.ts'

declare const self: ServiceWorkerGlobalScope

// Inserted by the build: the name of the build, the files of the shell, and the other files of the
// app.
declare const BUILD: string
declare const SHELL: readonly string[]
declare const THE_REST: readonly string[]
/** For each language except English, the file with its words. */
declare const WORDS: Readonly<Record<string, string>>

const PAGE = '/index.html'
const CACHE = `app-${BUILD}`

/**
 * Keeps this build and the previous one, so that a tab that has not reloaded yet still finds its
 * files.
 */
const BUILDS_KEPT = 2

/** A network that does not answer within this time counts as offline. */
const NETWORK_TIMEOUT_MS = 4_000

const shell = SHELL

self.addEventListener('install', (event) =>
  event.waitUntil(Promise.all([...shell.map(keep), keepWordsAgain()])),
)

self.addEventListener('activate', (event) => event.waitUntil(takeOver()))

self.addEventListener('message', (event) => {
  if (event.data === 'skip-waiting') event.waitUntil(self.skipWaiting())
  // Claims pages that were still loading when this worker took over.
  if (isGreeting(event.data))
    event.waitUntil(
      Promise.allSettled([
        self.clients.claim(),
        ...THE_REST.map(keep),
        ...wordsOf(event.data.language).map(keep),
      ]),
    )
})

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const kind = requestKind({ method, mode, url, origin: self.location.origin }, shell)
  if (kind === 'screen') event.respondWith(answerScreen(event))
  else if (kind !== 'network') event.respondWith(answerFile(event))
})

self.addEventListener('push', (event) => event.waitUntil(showNotice(event.data?.text() ?? '')))

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openAt(String(event.notification.data)))
})

/**
 * Always shows something, because browsers withdraw the permission otherwise. With the same tag, a
 * message that arrives twice is shown once.
 */
async function showNotice(text: string): Promise<void> {
  const { title, body, lang, tag, path } = readPushMessage(text, self.location.hostname)
  await self.registration.showNotification(title, {
    body,
    lang,
    tag,
    data: path,
    icon: '/icons/icon-192.png',
  })
}

async function openAt(path: string): Promise<void> {
  const [tab] = await self.clients.matchAll({ type: 'window' })
  if (tab === undefined) return void (await self.clients.openWindow(path))
  await tab.focus()
  await tab.navigate(path)
}

const storing = new Map<string, Promise<void>>()

/**
 * Stores one file at a time under a path, because `put` first removes the stored file: if the
 * network fails during a second `put`, the file would be lost.
 */
function once(path: string, store: () => Promise<void>): Promise<void> {
  const running = storing.get(path) ?? store().finally(() => storing.delete(path))
  storing.set(path, running)
  return running
}

const keep = (path: string) => once(path, () => fetchIntoCache(path))

/** Files with the same hash in an older build's cache are not fetched again. */
async function fetchIntoCache(path: string): Promise<void> {
  const cache = await caches.open(CACHE)
  if ((await cache.match(path)) !== undefined) return
  const isHashed = path.startsWith('/assets/')
  const response =
    (isHashed ? await caches.match(path) : undefined) ??
    (await fetch(path, { cache: isHashed ? 'default' : 'reload' }))
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  await cache.put(path, response)
}

/** Whether a message is the greeting of an open page, with its language. */
function isGreeting(data: unknown): data is { language: string } {
  return (
    typeof data === 'object' &&
    data !== null &&
    'language' in data &&
    typeof data.language === 'string'
  )
}

const wordsOf = (language: string): string[] =>
  Object.entries(WORDS).flatMap(([name, path]) => (name === language ? [path] : []))

/**
 * After an update, caches each language that the previous version had cached, before a page reports
 * its language.
 */
async function keepWordsAgain(): Promise<void> {
  const stored = await Promise.all(
    (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
  )
  const names = new Set(stored.flat().map(({ url }) => nameOf(new URL(url).pathname)))
  await Promise.all(
    Object.values(WORDS)
      .filter((path) => names.has(nameOf(path)))
      .map(keep),
  )
}

const nameOf = (path: string) => path.split('-')[0]

/**
 * Also claims the page that registered this worker, so that an update during the first visit is
 * recognized as one.
 */
async function takeOver(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith('app-') && name !== CACHE)
  await Promise.all(
    others.slice(0, others.length - BUILDS_KEPT + 1).map((name) => caches.delete(name)),
  )
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/**
 * The page from the network, which contains the user's data and is never stored; offline, the
 * shell, which contains no data.
 */
async function answerScreen(event: FetchEvent): Promise<Response> {
  const stored = async () => (await caches.match(PAGE, { cacheName: CACHE })) ?? Response.error()
  const fromNetwork = async () =>
    ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request)
  try {
    const page = await Promise.race([fromNetwork(), timeout()])
    return page === undefined || page.status >= 500 ? await stored() : page
  } catch {
    return stored()
  }
}

function timeout(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, NETWORK_TIMEOUT_MS, undefined))
}

async function answerFile(event: FetchEvent): Promise<Response> {
  const { pathname } = new URL(event.request.url)
  const own = await caches.open(CACHE)
  const stored = (await own.match(pathname, MATCH)) ?? (await caches.match(pathname, MATCH))
  if (stored !== undefined) return stored
  const response = await fetch(event.request)
  if (response.ok && response.type === 'basic') {
    const copy = response.clone()
    event.waitUntil(once(pathname, () => own.put(pathname, copy)))
  }
  return response
}

/** The path alone determines the file, so request headers are ignored. */
const MATCH = { ignoreVary: true }
