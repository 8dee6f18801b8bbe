import { MAY_BE_NEGATIVE } from '#core/ledger/account.ts'
import type { Entry } from '#core/ledger/transfer.ts'
import { commas, Fragment, part, type Queries } from '#server/db/statement.ts'

/** `pool`: the number of an account's pool, or empty. */
export type Line = Entry & { pool: string; isOpenedHere: boolean }
export type LedgerWrite = {
  id: string
  dedupKey: string
  eventTime: Date
  owner: string
  kind: string
  bodyHash: string
  seal: string
  lines: Line[]
}

/**
 * Writes bookings; each statement runs on the node with the rows of its users. Returns the transfer
 * of each written entry. Only the engine may write bookings of several users, because nothing else
 * locks the accounts of more than one.
 */
export async function writeBookings(
  tx: Queries,
  bookings: readonly LedgerWrite[],
): Promise<string[]> {
  const accounts = await findAccounts(tx, bookings)
  const made = await tx<{ id: string }[]>`
    insert into ledger_transfers (user_id, id, kind, dedup_key, body_hash, event_time, seal)
    ${rowsOf(
      bookings.map(({ owner, id, kind, dedupKey, bodyHash, eventTime, seal }) => [
        owner,
        id,
        kind,
        dedupKey,
        bodyHash,
        eventTime.toISOString(),
        seal,
      ]),
      TRANSFER,
    )}
    on conflict on constraint ledger_transfers_dedup do nothing returning id`
  const ids = new Set(made.map(({ id }) => id))
  const entries = bookings
    .filter(({ id }) => ids.has(id))
    .flatMap(({ owner, id, lines }) =>
      lines.flatMap((line) => {
        const account = accounts.get(nameOf(owner, line.account, line.pool))
        return account === undefined
          ? []
          : [[owner, id, account.toString(), line.account.asset, line.amount.toString()]]
      }),
    )
  if (entries.length === 0) return []
  await tx`insert into ledger_entries (user_id, transfer_id, account_id, asset,
    amount) ${rowsOf(entries, ENTRY)}`
  return entries.map(([, id = '']) => id)
}

const TRANSFER = ['uuid', 'uuid', 'text', 'text', 'text', 'timestamptz', 'text']
const ENTRY = ['uuid', 'uuid', 'bigint', 'text', 'bigint']

/**
 * Rows to insert. A few are sent as values, which go directly to their node. Many are sent as
 * arrays, because as values the statement's text would differ for each number of rows.
 */
function rowsOf(rows: readonly string[][], types: readonly string[]): Fragment {
  if (rows.length <= FEW) {
    const values = rows.map((row) => part`(${commas(row.map((value) => part`${value}`))})`)
    return part`values ${commas(values)}`
  }
  const lists = types.map(
    (type, column) =>
      new Fragment(['', `::text[]::${type}[]`], [rows.map((row) => row[column] ?? null)]),
  )
  return part`select * from unnest(${commas(lists)})`
}

const FEW = 16

type LedgerAccount = {
  userId: string
  id: bigint
  code: string
  asset: string
  pool: number | null
}

/** The ids of the bookings' accounts. Opens accounts that are created on first use. */
async function findAccounts(
  tx: Queries,
  bookings: readonly LedgerWrite[],
): Promise<Map<string, bigint>> {
  const owners = [...new Set(bookings.map(({ owner }) => owner))].toSorted().toReversed()
  const codes = [
    ...new Set(bookings.flatMap(({ lines }) => lines.map(({ account }) => account.code))),
  ]
  const ofOwners =
    owners.length === 1
      ? part`user_id = ${owners[0] ?? ''}`
      : part`user_id = any(${owners}::uuid[])`
  const found = await tx<
    LedgerAccount[]
  >`select user_id, id, code, asset, pool from ledger_accounts where ${ofOwners}
    and code = any(${codes})`
  const accounts = new Map(
    found.map(({ userId, id, pool, ...account }) => [
      nameOf(userId, account, pool?.toString() ?? ''),
      id,
    ]),
  )
  for (const owner of owners) {
    const lines = bookings
      .filter((booking) => booking.owner === owner)
      .flatMap((booking) => booking.lines)
    const missing = lines.filter(
      ({ isOpenedHere, account, pool }) =>
        isOpenedHere && !accounts.has(nameOf(owner, account, pool)),
    )
    for (const { id, ...account } of await openAccounts(tx, owner, missing))
      accounts.set(nameOf(owner, account, ''), id)
  }
  return accounts
}

async function openAccounts(
  tx: Queries,
  owner: string,
  lines: readonly Line[],
): Promise<Omit<LedgerAccount, 'userId' | 'pool'>[]> {
  if (lines.length === 0) return []
  // Locks existing accounts in the global order first, because a transaction that holds one of them
  // may be about to open the same new accounts.
  await tx`select from ledger_accounts where user_id = ${owner} order by id desc for no key update`
  const codes = [...new Set(lines.map(({ account }) => account.code))].toSorted()
  const values = codes.map((code) => part`(${owner}, ${code}, 'USD', ${MAY_BE_NEGATIVE.has(code)})`)
  return tx<Omit<LedgerAccount, 'userId' | 'pool'>[]>`
    insert into ledger_accounts (user_id, code, asset, may_be_negative) values ${commas(values)}
    on conflict on constraint ledger_accounts_unique do update
   set may_be_negative = excluded.may_be_negative
    returning id, code, asset`
}

const nameOf = (
  owner: string,
  { code, asset }: { code: string; asset: string },
  pool: string,
): string => `${owner} ${code} ${asset} ${pool}`
