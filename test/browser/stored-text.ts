import type { Page } from 'playwright-core'

export type StoredText = {
  /** The bodies in all caches, and below the paths that they are cached under. */
  caches: string
  cachedPaths: string[]
  /**
   * Compressed bytes (gzip) of the files that the page's worker caches on installation: those that
   * the app needs to start.
   */
  shellBytes: number
  /** All databases, as JSON. */
  lastKnown: string
  /** The sealed answers among them that `key` opens. */
  opened: string
  /** The session's key, while the browser has it. */
  key: string
  /** Caches, databases, sealed answers, local and session storage, and the page. */
  everything: string
}

/**
 * Everything that this browser stores for the site, as text. `earlierKey`: of a session that has
 * ended, which may have sealed what was left behind.
 */
export async function storedText(page: Page, earlierKey = ''): Promise<StoredText> {
  return page.evaluate(async (earlier) => {
    const files: { path: string; text: string; bytes: number }[] = []
    const gzipped = (body: ArrayBuffer) =>
      new Response(
        new Blob([body]).stream().pipeThrough(new CompressionStream('gzip')),
      ).arrayBuffer()
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const body = (await (await cache.match(request))?.arrayBuffer()) ?? new ArrayBuffer(0)
        files.push({
          path: new URL(request.url).pathname,
          text: new TextDecoder().decode(body),
          bytes: (await gzipped(body)).byteLength,
        })
      }
    }
    const databases: Record<string, unknown[]> = {}
    const key = /(?:^|; )kept=([\w-]+)/.exec(document.cookie)?.[1] ?? ''
    const opened: string[] = []
    type Sealed = { iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer }
    const open = async ({ iv, bytes }: Sealed) => {
      for (const text of [key, earlier].filter((one) => one !== '')) {
        const imported = await crypto.subtle.importKey(
          'raw',
          new TextEncoder().encode(text),
          'AES-GCM',
          false,
          ['decrypt'],
        )
        const plain = await crypto.subtle
          .decrypt({ name: 'AES-GCM', iv }, imported, bytes)
          .catch(() => undefined)
        if (plain) opened.push(new TextDecoder().decode(plain))
      }
    }
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('failed')))
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store)
        databases[`${name}/${store}`] = [
          await done(objects.getAllKeys()),
          await done(objects.getAll()),
        ]
      }
      database.close()
      for (const sealed of (databases[`${name}/answers`]?.[1] ?? []) as Sealed[]) await open(sealed)
    }
    const worker = await fetch('/sw.js').then(
      (answer) => answer.text(),
      () => '',
    )
    const shell = /\[[^[\]]*\/index\.html[^[\]]*\]/.exec(worker)?.[0] ?? ''
    const lastKnown = JSON.stringify(databases)
    const cached = files.map(({ path, text }) => `${path}\n${text}`).join('\n')
    const storages = JSON.stringify([{ ...localStorage }, { ...sessionStorage }])
    return {
      caches: cached,
      cachedPaths: files.map(({ path }) => path),
      shellBytes: files
        .filter(({ path }) => shell.includes(path))
        .reduce((sum, { bytes }) => sum + bytes, 0),
      lastKnown,
      opened: opened.join('\n'),
      key,
      everything: [cached, lastKnown, ...opened, storages, document.documentElement.outerHTML].join(
        '\n',
      ),
    }
  }, earlierKey)
}
