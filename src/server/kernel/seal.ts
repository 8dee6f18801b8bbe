import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'

/** A database as its seals identify it. */
export type BookIdentity = { id: string; kind: 'paper' | 'live' }

/** Kinds of seals. A seal of one kind is never valid for another. */
type Subject = 'book' | 'transfer' | 'audit event' | 'seal of the book' | 'account'

/** Everything that a seal covers, as text: its JSON is the same in every process. */
type Content = readonly (string | readonly string[] | readonly (readonly string[])[])[]

export type Seals = {
  book: BookIdentity
  sealOf: (subject: Subject, content: Content) => string
  fits: (seal: string | null, subject: Subject, content: Content) => boolean
}

/** Names the key, so that a new one can be introduced. */
const KEY_ID = 'k1'

/**
 * Threat: whoever can write to the database can write any row. The key is derived from the
 * installation's secret, which is not in the database, and from the book's id and kind, so rows of
 * another book, or of a paper book, are not valid in a live one.
 */
export function openSeals({ secret, book }: { secret: string; book: BookIdentity }): Seals {
  // A key object, because with raw bytes Node needs five times as long per seal.
  const key = createSecretKey(
    Buffer.from(hkdfSync('sha256', secret, '', `seals:${KEY_ID}:${book.kind}:${book.id}`, 32)),
  )
  const sealOf: Seals['sealOf'] = (subject, content) =>
    createHmac('sha256', key)
      .update(JSON.stringify([subject, content]))
      .digest('base64url')
  return {
    book,
    sealOf,
    fits: (seal, subject, content) => seal !== null && isSame(seal, sealOf(subject, content)),
  }
}

/** Seals for a database whose book is not open. They are valid for no row. */
export const NO_SEALS = openSeals({ secret: '', book: { id: '', kind: 'paper' } })

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

/** A transfer as it was posted. */
export type SealedTransfer = {
  userId: string
  id: string
  kind: string
  dedupKey: string
  eventTime: Date
  lines: readonly { code: string; asset: string; pool: string; amount: string }[]
}

export function contentOfTransfer({
  userId,
  id,
  kind,
  dedupKey,
  eventTime,
  lines,
}: SealedTransfer): Content {
  const entries = lines.map(({ code, asset, pool, amount }) => [code, asset, pool, amount])
  return [userId, id, kind, dedupKey, eventTime.toISOString(), entries.toSorted(inOrder)]
}

/** Sorts entries, because PostgreSQL does not store their order. */
function inOrder(one: readonly string[], other: readonly string[]): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}

export type SealedEvent = {
  id: string
  actor: string
  action: string
  subject: string
  details: Record<string, string>
}

export function contentOfEvent({ id, actor, action, subject, details }: SealedEvent): Content {
  return [id, actor, action, subject, Object.entries(details).toSorted(inOrder)]
}

/**
 * A link of the book's chain: the number of transfers and the audit events since the previous link.
 */
export type BookSeal = {
  number: bigint
  previous: string
  untilTransaction: bigint
  transfers: bigint
  events: readonly string[]
  sealedAt: Date
}

export function contentOfSeal({
  number,
  previous,
  untilTransaction,
  transfers,
  events,
  sealedAt,
}: BookSeal): Content {
  return [
    String(number),
    previous,
    String(untilTransaction),
    String(transfers),
    events,
    sealedAt.toISOString(),
  ]
}

export const contentOfBook = ({ id, kind }: BookIdentity): Content => [id, kind]

/** An account's numbered state: its ways to sign in and its protections. */
export const contentOfAccount = ({
  userId,
  number,
  account,
}: {
  userId: string
  number: bigint
  account: object
}): Content => [userId, String(number), JSON.stringify(account)]
