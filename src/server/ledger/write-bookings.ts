import { MAY_BE_NEGATIVE } from '#core/ledger/account.ts'
import type { Entry } from '#core/ledger/transfer.ts'
import { commas, Fragment, part, type Queries } from '#server/db/statement.ts'

/** `pool`: the number of an account's pool, or empty. */
export type Line = Entry & { pool: string; isOpenedHere: boolean }
export type Booking = {
  id: string
  dedupKey: string
  eventTime: Date
  owner: string
  kind: string
  bodyHash: string
  seal: string
  lines: Line[]
}

/** Writes all in one statement. Returns the transfer of each entry that was written. */
export async function writeAtOnce(tx: Queries, bookings: readonly Booking[]): Promise<string[]> {
  const lines = bookings.flatMap(({ id, owner, lines: own }) =>
    own.map((line) => ({ ...line, id, owner })),
  )
  const rows = await tx<{ transferId: string }[]>`
    with line as materialized (
      select l.user_id, l.transfer_id, l.code, l.asset, l.amount, l.is_opened_here,
             l.may_be_negative, a.id as account_id
        from unnest(${lines.map(({ owner }) => owner)}::uuid[],
             ${lines.map(({ id }) => id)}::uuid[],
                    ${lines.map(({ account }) => account.code)}::text[],
                    ${lines.map(({ account }) => account.asset)}::text[],
                    ${lines.map(({ pool }) => pool)}::text[],
                    ${lines.map(({ amount }) => amount.toString())}::bigint[],
                    ${lines.map((line) => String(line.isOpenedHere))}::text[]::boolean[],
                    ${lines.map(({ account }) => String(MAY_BE_NEGATIVE.has(account.code)))}::text[]::boolean[])
          as l (user_id, transfer_id, code, asset, pool, amount, is_opened_here, may_be_negative)
        left join ledger_accounts a
          on a.user_id = l.user_id and a.code = l.code and a.asset = l.asset
         and a.pool is not distinct from nullif(l.pool, '')::smallint),
    -- Before opening accounts, lock the others in the global order: their holder may be about to open the same ones.
    locked as materialized (
      select from ledger_accounts
       where (user_id, id) in (select user_id, account_id from line)
         and exists (select 1 from line where account_id is null)
       order by user_id desc, id desc for no key update),
    opened as (
      insert into ledger_accounts (user_id, code, asset, may_be_negative)
      select distinct user_id, code, asset, may_be_negative from line
       where account_id is null and is_opened_here and (select count(*) from locked) is not null
       order by user_id desc, code
      -- If another transaction opened it since this statement began, wait for its row and return it.
      on conflict on constraint ledger_accounts_unique do update
     set may_be_negative = excluded.may_be_negative
      returning user_id, code, asset, id),
    written as (
      insert into ledger_transfers (user_id, id, kind, dedup_key, body_hash, event_time, seal)
      select * from unnest(${bookings.map(({ owner }) => owner)}::uuid[],
             ${bookings.map(({ id }) => id)}::uuid[],
                           ${bookings.map(({ kind }) => kind)}::text[],
                           ${bookings.map(({ dedupKey }) => dedupKey)}::text[],
                           ${bookings.map(({ bodyHash }) => bodyHash)}::text[],
                           ${bookings.map(({ eventTime }) => eventTime.toISOString())}::text[]::timestamptz[],
                           ${bookings.map(({ seal }) => seal)}::text[])
      on conflict on constraint ledger_transfers_dedup do nothing
      returning user_id, id)
    insert into ledger_entries (user_id, transfer_id, account_id, asset, amount)
    select l.user_id, l.transfer_id, coalesce(l.account_id, o.id), l.asset, l.amount
      from written w join line l on l.user_id = w.user_id and l.transfer_id = w.id
      left join opened o on l.account_id is null and o.user_id = l.user_id and o.code = l.code
       and o.asset = l.asset
     where coalesce(l.account_id, o.id) is not null
    returning transfer_id`
  return rows.map(({ transferId }) => transferId)
}

/**
 * The same for a database that is distributed by user: statements that each run beside the rows of
 * their users. Only the engine writes bookings of several users, so nobody else locks the accounts
 * of more than one.
 */
export async function writeByUser(tx: Queries, bookings: readonly Booking[]): Promise<string[]> {
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
 * Rows to insert. A few are values, which go straight to their node; the text of many would be
 * another one for each number of them.
 */
function rowsOf(rows: readonly string[][], types: readonly string[]): Fragment {
  if (rows.length <= FEW)
    return part`values ${commas(rows.map((row) => part`(${commas(row.map((value) => part`${value}`))})`))}`
  const lists = types.map(
    (type, column) =>
      new Fragment(['', `::text[]::${type}[]`], [rows.map((row) => row[column] ?? null)]),
  )
  return part`select * from unnest(${commas(lists)})`
}

const FEW = 16

type Account = { userId: string; id: bigint; code: string; asset: string; pool: number | null }

/**
 * The ids of the bookings' accounts, after those were opened that are opened when they are used.
 */
async function findAccounts(
  tx: Queries,
  bookings: readonly Booking[],
): Promise<Map<string, bigint>> {
  const owners = [...new Set(bookings.map(({ owner }) => owner))].toSorted().toReversed()
  const codes = [
    ...new Set(bookings.flatMap(({ lines }) => lines.map(({ account }) => account.code))),
  ]
  const whose =
    owners.length === 1
      ? part`user_id = ${owners[0] ?? ''}`
      : part`user_id = any(${owners}::uuid[])`
  const found = await tx<
    Account[]
  >`select user_id, id, code, asset, pool from ledger_accounts where ${whose}
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
): Promise<Omit<Account, 'userId' | 'pool'>[]> {
  if (lines.length === 0) return []
  // Before opening accounts, lock the others in the global order: their holder may be about to open
  // the same ones.
  await tx`select from ledger_accounts where user_id = ${owner} order by id desc for no key update`
  const codes = [...new Set(lines.map(({ account }) => account.code))].toSorted()
  const values = codes.map((code) => part`(${owner}, ${code}, 'USD', ${MAY_BE_NEGATIVE.has(code)})`)
  return tx<Omit<Account, 'userId' | 'pool'>[]>`
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
