import { createHash } from 'node:crypto'
import { assert } from '#core/assert.ts'
import { CUSTOMER_ACCOUNTS, HOUSE, MAY_BE_NEGATIVE, type AccountRef } from '#core/ledger/account.ts'
import type { Movement } from '#core/ledger/transfer.ts'
import { Refusal } from '#core/refusal.ts'
import type { Book } from '#server/db/book.ts'
import { rows } from '#server/db/rows.ts'
import type { Queries } from '#server/db/statement.ts'
import { violates } from '#server/db/connection.ts'
import { contentOfTransfer, type Seals } from '#server/kernel/seal.ts'
import { writeBookings, type LedgerWrite } from './write-bookings.ts'

/** `dedupKey`: the occasion, which is never booked twice for one user. */
export type Transfer = {
  id: string
  dedupKey: string
  movement: Movement
  /** Undefined for the house. */
  userId?: string
  /** Market time of the event. */
  eventTime: Date
}

export type Posted = 'posted' | 'already-posted'

/**
 * The only writer of the ledger; runs in the caller's transaction. Returns 'already-posted' if the
 * occasion was booked with the same entries. Refuses as 'insufficient-balance' if an account would
 * fall below zero, which the database checks.
 */
export async function post(book: Book, transfer: Transfer): Promise<Posted> {
  const [answer] = await postAll(book, [transfer])
  assert(answer !== undefined, 'each transfer has an answer')
  return answer
}

/** Posts transfers of any owners in one statement. If one is refused, all are. */
export async function postAll(
  { sql, seals }: Book,
  transfers: readonly Transfer[],
): Promise<Posted[]> {
  if (transfers.length === 0) return []
  const bookings = transfers.map((transfer) => bookingOf(transfer, seals))
  const written = await insert(sql, bookings)
  const answers = bookings.map(({ id, kind, lines }): Posted => {
    const count = written.get(id) ?? 0
    assert(count === 0 || count === lines.length, `${kind} names an account that does not exist`)
    return count === 0 ? 'already-posted' : 'posted'
  })
  await checkEarlier(
    sql,
    bookings.filter((_, index) => answers[index] === 'already-posted'),
  )
  return answers
}

function bookingOf(
  { id, dedupKey, movement: { kind, entries }, userId, eventTime }: Transfer,
  seals: Seals,
): LedgerWrite {
  const owner = userId ?? HOUSE
  assert(entries.length >= 2, `${kind} moves nothing`)
  const lines = entries.map(({ account, amount }) => {
    assert(ownerOf(account) === owner, `${kind} touches ${account.code} of somebody else`)
    return {
      account,
      amount,
      pool: 'pool' in account ? String(account.pool) : '',
      isOpenedHere: isOpenedWhenUsed(account),
    }
  })
  const body = lines.map(({ account, amount, pool }) => [
    account.code,
    owner,
    account.asset,
    pool,
    amount.toString(),
  ])
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([kind, body]))
    .digest('hex')
  const sealed = lines.map(({ account, amount, pool }) => ({
    code: account.code,
    asset: account.asset,
    pool,
    amount: amount.toString(),
  }))
  const seal = seals.sealOf(
    'transfer',
    contentOfTransfer({ userId: owner, id, kind, dedupKey, eventTime, lines: sealed }),
  )
  return { id, dedupKey, eventTime, owner, kind, bodyHash, seal, lines }
}

const ownerOf = (account: AccountRef): string => ('owner' in account ? account.owner : HOUSE)

/** All other accounts exist from sign-up or from the start, so a missing one is a bug. */
const isOpenedWhenUsed = (account: AccountRef): boolean =>
  'owner' in account && !account.code.startsWith('customer:')

/**
 * Writes transfers. Returns the number of entries written for each; 0 if the dedup key is already
 * booked.
 */
async function insert(tx: Queries, bookings: readonly LedgerWrite[]): Promise<Map<string, number>> {
  try {
    return countOf(await writeBookings(tx, bookings))
  } catch (error) {
    if (violates(error, 'ledger_accounts_no_overdraft')) throw new Refusal('insufficient-balance')
    throw error
  }
}

function countOf(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/**
 * Asserts that the earlier transfer under this key was for the same occasion: anything else is our
 * bug.
 */
async function checkEarlier(tx: Queries, bookings: readonly LedgerWrite[]): Promise<void> {
  if (bookings.length === 0) return
  const earlier = await tx<{ userId: string; dedupKey: string; bodyHash: string }[]>`
    select t.user_id, t.dedup_key, t.body_hash
      from ${rows(bookings, { user_id: ['uuid', ({ owner }) => owner], dedup_key: 'text' })}
      join ledger_transfers t on t.user_id = given.user_id and t.dedup_key = given.dedup_key
     where exists (select 1 from ledger_entries e where e.user_id = t.user_id
           and e.transfer_id = t.id)`
  const hashes = new Map(
    earlier.map(({ userId, dedupKey, bodyHash }) => [`${userId} ${dedupKey}`, bodyHash]),
  )
  for (const { owner, dedupKey, bodyHash, kind } of bookings) {
    const hash = hashes.get(`${owner} ${dedupKey}`)
    assert(hash !== undefined, `${kind} names an account that does not exist`)
    assert(hash === bodyHash, `${dedupKey} was booked before with other entries`)
  }
}

/** Opens the accounts that every user has from sign-up. */
export async function openAccounts(tx: Queries, userId: string): Promise<void> {
  const accounts = CUSTOMER_ACCOUNTS.map((code) => ({
    code,
    mayBeNegative: MAY_BE_NEGATIVE.has(code),
  }))
  await tx`
    insert into ledger_accounts (user_id, code, asset, may_be_negative)
    select ${userId}, code, 'USD', may_be_negative
      from ${rows(accounts, { code: 'text', may_be_negative: 'boolean' })}`
}
