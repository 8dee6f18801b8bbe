import { cookieOf } from '#app/ui/device/cookie-of.ts'
import { forgetKeptTexts } from '#app/ui/device/kept-text.ts'

/** The last known answer to a query. `hash` is the hash of its key. */
export type KnownAnswer = {
  hash: string
  queryKey: readonly unknown[]
  data: unknown
  updatedAt: number
}

type LastKnown = { userId: string; answers: KnownAnswer[] }

const NAME = 'last-known'
/**
 * Must be incremented when the shape of an answer changes: answers stored by an older app are then
 * dropped, because the screens cannot read them.
 */
const VERSION = 7
const ANSWERS = 'answers'
const OWNER = 'owner'
const LIMIT = 200

/**
 * One user's last known answers on this device, never two users' at once. The writing transaction
 * checks the owner. Threat: the user signs out in one tab, and another tab writes the answers back.
 * Threat: a browser leaves deleted data on its disk for a while; so answers are encrypted with a
 * key of the session, which is in a cookie and deleted when the session ends.
 */
export async function readLastKnown(): Promise<LastKnown | undefined> {
  const key = await sessionKey()
  if (key === undefined) return undefined
  const found = await within('readonly', async ({ owner, answers }) => {
    const [userId, known] = await Promise.all([
      result<string | undefined>(owner.get(OWNER)),
      result<Sealed[]>(answers.getAll()),
    ])
    return userId === undefined ? undefined : { userId, known }
  })
  if (found === undefined) return undefined
  const { userId, known } = found
  const opened = await Promise.all(known.map((sealed) => unseal(key, sealed)))
  return { userId, answers: opened.filter((answer) => answer !== undefined) as KnownAnswer[] }
}

/** Deletes the answers of any other user. */
async function takeOver(userId: string): Promise<void> {
  await within('readwrite', async ({ owner, answers }) => {
    if ((await result(owner.get(OWNER))) === userId) return
    answers.clear()
    owner.put(userId, OWNER)
  })
}

/** `isNew`: whether these are the user's first answers since the page was loaded. */
export async function keepAnswers({
  userId,
  answers: known,
  isNew,
}: LastKnown & { isNew: boolean }): Promise<void> {
  if (isNew) await takeOver(userId)
  const key = await sessionKey()
  if (key === undefined) return
  const kept = known.map((answer): KnownAnswer => ({ ...answer, data: firstPage(answer.data) }))
  const saved = await Promise.all(kept.map((answer) => seal(key, answer)))
  await within('readwrite', async ({ owner, answers }) => {
    if ((await result(owner.get(OWNER))) !== userId) return
    for (const answer of saved) answers.put(answer)
    const surplus = (await result(answers.count())) - LIMIT
    if (surplus <= 0) return
    for (const oldest of await result(answers.index('updatedAt').getAllKeys(null, surplus)))
      answers.delete(oldest)
  })
}

function firstPage(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('pages' in data) || !Array.isArray(data.pages))
    return data
  return { pages: data.pages.slice(0, 1), pageParams: [undefined] }
}

/** Deletes everything of a user on this device, including drafts. */
export async function wipeLastKnown(): Promise<void> {
  forgetKeptTexts()
  await within('readwrite', async ({ owner, answers }) => {
    owner.clear()
    answers.clear()
  })
}

type Stores = { owner: IDBObjectStore; answers: IDBObjectStore }

async function within<Output>(
  mode: IDBTransactionMode,
  work: (stores: Stores) => Promise<Output>,
): Promise<Output> {
  const database = await open()
  try {
    const transaction = database.transaction([OWNER, ANSWERS], mode)
    const written = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new DOMException('aborted', 'AbortError')),
      )
    })
    const [output] = await Promise.all([
      work({ owner: transaction.objectStore(OWNER), answers: transaction.objectStore(ANSWERS) }),
      written,
    ])
    return output
  } finally {
    database.close()
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION)
  request.addEventListener('upgradeneeded', () => {
    for (const store of Array.from(request.result.objectStoreNames))
      request.result.deleteObjectStore(store)
    request.result.createObjectStore(OWNER)
    request.result
      .createObjectStore(ANSWERS, { keyPath: 'hash' })
      .createIndex('updatedAt', 'updatedAt')
  })
  return result(request)
}

function result<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () =>
      reject(request.error ?? new DOMException('failed', 'UnknownError')),
    )
  })
}

/**
 * An answer as stored. `hash`: identifies the call and its arguments, in clear; it is also
 * authenticated with the bytes, so that no answer can be swapped for another.
 */
type Sealed = {
  hash: string
  updatedAt: number
  iv: Uint8Array<ArrayBuffer>
  bytes: ArrayBuffer
}

const CIPHER = 'AES-GCM'

const encoded = (text: string) => new TextEncoder().encode(text)

/**
 * The key that the session gave this browser. Undefined if nobody is signed in, or without TLS,
 * where browsers cannot encrypt.
 */
async function sessionKey(): Promise<CryptoKey | undefined> {
  const text = cookieOf('kept')
  return text === undefined || !isSecureContext
    ? undefined
    : crypto.subtle.importKey('raw', encoded(text), CIPHER, false, ['encrypt', 'decrypt'])
}

async function seal(key: CryptoKey, answer: { hash: string; updatedAt: number }): Promise<Sealed> {
  const { hash, updatedAt } = answer
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return {
    hash,
    updatedAt,
    iv,
    bytes: await crypto.subtle.encrypt({ name: CIPHER, iv }, key, encoded(JSON.stringify(answer))),
  }
}

/** Undefined if the answer was sealed with another key, such as that of an earlier session. */
async function unseal(key: CryptoKey, { iv, bytes }: Sealed): Promise<unknown> {
  const plain = await crypto.subtle.decrypt({ name: CIPHER, iv }, key, bytes).catch(() => undefined)
  return plain && (JSON.parse(new TextDecoder().decode(plain)) as unknown)
}
