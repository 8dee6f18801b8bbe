import { MAY_BE_NEGATIVE } from '#core/ledger/account.ts'
import type { Entry } from '#core/ledger/transfer.ts'
import { commas, part, type Queries } from '#server/db/statement.ts'

/** `pool`: the number of an account's pool, or empty. */
export type Line = Entry & { pool: string; isOpenedHere: boolean }
export type Booking = { id: string; dedupKey: string; eventTime: Date; owner: string; kind: string; bodyHash: string; seal: string; lines: Line[] }

/** Writes all in one statement. Returns the transfer of each entry that was written. */
export async function writeAtOnce(tx: Queries, bookings: readonly Booking[]): Promise<string[]> {
  const lines = bookings.flatMap(({ id, owner, lines: own }) => own.map((line) => ({ ...line, id, owner })))
  const rows = await tx<{ transferId: string }[]>`
    with line as materialized (
      select l.user_id, l.transfer_id, l.code, l.asset, l.amount, l.is_opened_here, l.may_be_negative, a.id as account_id
        from unnest(${lines.map(({ owner }) => owner)}::uuid[], ${lines.map(({ id }) => id)}::uuid[],
                    ${lines.map(({ account }) => account.code)}::text[], ${lines.map(({ account }) => account.asset)}::text[],
                    ${lines.map(({ pool }) => pool)}::text[], ${lines.map(({ amount }) => amount.toString())}::bigint[],
                    ${lines.map((line) => String(line.isOpenedHere))}::text[]::boolean[],
                    ${lines.map(({ account }) => String(MAY_BE_NEGATIVE.has(account.code)))}::text[]::boolean[])
          as l (user_id, transfer_id, code, asset, pool, amount, is_opened_here, may_be_negative)
        left join ledger_accounts a
          on a.user_id = l.user_id and a.code = l.code and a.asset = l.asset and a.pool is not distinct from nullif(l.pool, '')::smallint),
    -- Before opening accounts, lock the others in the global order: their holder may be about to open the same ones.
    locked as materialized (
      select from ledger_accounts
       where (user_id, id) in (select user_id, account_id from line) and exists (select 1 from line where account_id is null)
       order by user_id desc, id desc for no key update),
    opened as (
      insert into ledger_accounts (user_id, code, asset, may_be_negative)
      select distinct user_id, code, asset, may_be_negative from line
       where account_id is null and is_opened_here and (select count(*) from locked) is not null order by user_id desc, code
      -- If another transaction opened it since this statement began, wait for its row and return it.
      on conflict on constraint ledger_accounts_unique do update set may_be_negative = excluded.may_be_negative
      returning user_id, code, asset, id),
    written as (
      insert into ledger_transfers (user_id, id, kind, dedup_key, body_hash, event_time, seal)
      select * from unnest(${bookings.map(({ owner }) => owner)}::uuid[], ${bookings.map(({ id }) => id)}::uuid[],
                           ${bookings.map(({ kind }) => kind)}::text[], ${bookings.map(({ dedupKey }) => dedupKey)}::text[],
                           ${bookings.map(({ bodyHash }) => bodyHash)}::text[],
                           ${bookings.map(({ eventTime }) => eventTime.toISOString())}::text[]::timestamptz[],
                           ${bookings.map(({ seal }) => seal)}::text[])
      on conflict on constraint ledger_transfers_dedup do nothing
      returning user_id, id)
    insert into ledger_entries (user_id, transfer_id, account_id, asset, amount)
    select l.user_id, l.transfer_id, coalesce(l.account_id, o.id), l.asset, l.amount
      from written w join line l on l.user_id = w.user_id and l.transfer_id = w.id
      left join opened o on l.account_id is null and o.user_id = l.user_id and o.code = l.code and o.asset = l.asset
     where coalesce(l.account_id, o.id) is not null
    returning transfer_id`
  return rows.map(({ transferId }) => transferId)
}

type Account = { id: bigint; code: string; asset: string; pool: number | null }

/**
 * The same for a database that is distributed by user: one user after the other, each in statements that run where the user's rows are. Users
 * come in descending order, as their accounts are locked.
 */
export async function writeByUser(tx: Queries, bookings: readonly Booking[]): Promise<string[]> {
  const owners = [...new Set(bookings.map(({ owner }) => owner))].toSorted().toReversed()
  const written: string[] = []
  for (const owner of owners) written.push(...(await writeOfUser(tx, owner, bookings.filter((booking) => booking.owner === owner))))
  return written
}

async function writeOfUser(tx: Queries, owner: string, bookings: readonly Booking[]): Promise<string[]> {
  const accounts = await accountsFor(tx, owner, bookings.flatMap(({ lines }) => lines))
  const rows = bookings.map(({ id, kind, dedupKey, bodyHash, eventTime, seal }) => part`(${owner}, ${id}, ${kind}, ${dedupKey}, ${bodyHash}, ${eventTime}, ${seal})`)
  const made = await tx<{ id: string }[]>`
    insert into ledger_transfers (user_id, id, kind, dedup_key, body_hash, event_time, seal) values ${commas(rows)}
    on conflict on constraint ledger_transfers_dedup do nothing returning id`
  const ids = new Set(made.map(({ id }) => id))
  const entries = bookings.filter(({ id }) => ids.has(id)).flatMap(({ id, lines }) => lines.flatMap((line) => {
    const account = accounts.get(nameOf(line))
    return account === undefined ? [] : [{ id, account, line }]
  }))
  if (entries.length === 0) return []
  const values = entries.map(({ id, account, line }) => part`(${owner}, ${id}, ${account}, ${line.account.asset}, ${line.amount})`)
  await tx`insert into ledger_entries (user_id, transfer_id, account_id, asset, amount) values ${commas(values)}`
  return entries.map(({ id }) => id)
}

/** The ids of the accounts of these lines, after those were opened that are opened when they are used. */
async function accountsFor(tx: Queries, owner: string, lines: readonly Line[]): Promise<Map<string, bigint>> {
  const codes = [...new Set(lines.map(({ account }) => account.code))]
  const found = await tx<Account[]>`select id, code, asset, pool from ledger_accounts where user_id = ${owner} and code = any(${codes})`
  const accounts = new Map(found.map((account) => [`${account.code} ${account.asset} ${account.pool ?? ''}`, account.id]))
  const missing = new Map(lines.filter((line) => line.isOpenedHere && !accounts.has(nameOf(line))).map((line) => [nameOf(line), line.account]))
  if (missing.size === 0) return accounts
  // Before opening accounts, lock the others in the global order: their holder may be about to open the same ones.
  await tx`select from ledger_accounts where user_id = ${owner} order by id desc for no key update`
  const values = [...missing.values()].toSorted((one, other) => (one.code < other.code ? -1 : 1)).map(({ code, asset }) => part`(${owner}, ${code}, ${asset}, ${MAY_BE_NEGATIVE.has(code)})`)
  const opened = await tx<Account[]>`
    insert into ledger_accounts (user_id, code, asset, may_be_negative) values ${commas(values)}
    on conflict on constraint ledger_accounts_unique do update set may_be_negative = excluded.may_be_negative
    returning id, code, asset, pool`
  for (const { id, code, asset } of opened) accounts.set(`${code} ${asset} `, id)
  return accounts
}

const nameOf = ({ account, pool }: Line): string => `${account.code} ${account.asset} ${pool}`
