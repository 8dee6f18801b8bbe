import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Change, Stay } from '#core/pool/trades.ts'
import type { Sentence } from '#core/sentences.ts'
import { rows } from '#server/db/rows.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { firstIdAt } from '#server/kernel/ids.ts'

/** One bot, or all bots of a user. `among`: only these sleeves. `pair`: only sleeves on it. */
export type BotsOfUser = {
  userId: string
  botId?: string
  among?: readonly SleeveKey[]
  pair?: Pair
}
export type SleeveKey = { botId: string; pool: number }

/** Starts at `from` and ends before `to`. `ids`: the first and the last id of the period. */
export type Period = {
  from?: Date | undefined
  to?: Date | undefined
  ids?: { first: string; last: string } | undefined
}

/** `paid`: cash put into the pool and its lot. `cashOut`: cash out of the pool. */
export type SleeveStay = Stay & { botId: string; pool: number; paid: Units; cashOut: Units }

type StayRow = Omit<SleeveStay, 'units' | 'redeemed'> & { units: string; redeemed: string }

const ifGiven = <Given>(
  value: Given | undefined,
  condition: (value: Given) => Fragment,
): Fragment => (value === undefined ? part`` : condition(value))

const own = ({ userId, botId, among, pair }: BotsOfUser): Fragment => part`
  user_id = ${userId} ${ifGiven(botId, (id) => part`and bot_id = ${id}`)}
  ${ifGiven(pair, (name) => part`and pool in (select id from pools where pair = ${name})`)}
  ${ifGiven(
    among,
    (sleeves) => part`and (bot_id, pool) in (
      select * from ${rows(sleeves, { bot_id: 'uuid', pool: 'smallint' })})`,
  )}`

/**
 * Change at which a present stay ends: none, unless the sleeve paid for an order that brought no
 * coins.
 */
const lastsUntil = part`case when units = 0 then joined end`

/** Sleeves whose present stay is not among the ended ones. */
const openStays = (owner: BotsOfUser): Fragment =>
  part`sleeves where ${own(owner)} and (units > 0 or paid > 0)`

/**
 * Ended and present stays, each sleeve's in order. Callers that need changes too must read them
 * first: see `readLives`.
 */
export async function findStays(sql: Queries, owner: BotsOfUser): Promise<SleeveStay[]> {
  const found = await sql<StayRow[]>`
    select bot_id, pool, joined, ${lastsUntil} as "left", units, offered, 0::numeric as redeemed,
           paid, paid_base, 0::bigint as cash_out, 0::bigint as base_out
      from ${openStays(owner)}
    union all
    select bot_id, pool, joined, left_with, units, offered, redeemed, paid, paid_base, cash_out,
           base_out from sleeve_stays where ${own(owner)}
     order by bot_id, pool, joined`
  return found.map((row) => ({ ...row, units: BigInt(row.units), redeemed: BigInt(row.redeemed) }))
}

/** The time of a change, and the pool after it. */
export type StoredMark = {
  pool: number
  pair: Pair
  number: bigint
  cashAfter: Units
  baseAfter: Units
  unitsAfter: bigint
  marketTime: Date
}

export type StoredChange = Change &
  StoredMark & { id: string; price: Units; reason: Sentence; createdAt: Date }

type ChangeRow = Omit<StoredChange, 'weight' | 'unitsAfter'> & {
  weight: string
  unitsAfter: string
}

const columns = part`
  c.pool, c.number, c.id, c.kind, c.side, c.quantity, c.price, c.total, c.fee, c.weight,
  c.cash_after, c.base_after, c.units_after, c.reason, c.market_time, c.created_at`

/**
 * `spans`: the numbers between which the user's bots were in a pool; `ends`: changes that began or
 * ended a stay. Stays are queried separately, because changes of pools are on other nodes of a
 * cluster.
 */
async function findReach(sql: Queries, owner: BotsOfUser): Promise<Fragment> {
  type Reach = { pool: number; joined: bigint; leftWith: bigint | null }
  const mine = await sql<Reach[]>`
    select pool, joined, ${lastsUntil} as left_with from ${openStays(owner)}
    union all select pool, joined, left_with from sleeve_stays where ${own(owner)}`
  return part`
    mine as materialized (
      select * from ${rows(mine, { pool: 'smallint', joined: 'bigint', left_with: 'bigint' })}),
    spans as (select pool, min(joined) as first, max(coalesce(left_with, 9223372036854775807))
    as last from mine group by pool),
    ends as (select pool, joined as number from mine union select pool, left_with from mine where
    left_with is not null)`
}

const changeOf = ({ weight, unitsAfter, ...row }: ChangeRow): StoredChange => ({
  ...row,
  weight: BigInt(weight),
  unitsAfter: BigInt(unitsAfter),
})

/**
 * Finds the changes that end stays, and those of `kinds` within stays. The changes of each pool are
 * in the order of their numbers.
 */
export async function findChanges(
  sql: Queries,
  owner: BotsOfUser,
  kinds = part`('trade', 'yield')`,
): Promise<StoredChange[]> {
  const found = await sql<ChangeRow[]>`
    with ${await findReach(sql, owner)}
    select ${columns}, p.pair from (
      select c.* from spans s join pool_changes c on c.pool = s.pool
         and c.kind in ${kinds} and c.number > s.first and c.number < s.last
      union all
      select c.* from ends e join pool_changes c on c.pool = e.pool and c.number = e.number) c
      join pools p on p.id = c.pool
     order by c.pool, c.number`
  return found.map(changeOf)
}

/**
 * Marks for the curve of the total balance: the pool after each change. Trades and interest before
 * `since` are left out, except for the last one.
 */
export async function findMarks(
  sql: Queries,
  owner: BotsOfUser,
  since: Date,
): Promise<StoredMark[]> {
  const found = await sql<(Omit<StoredMark, 'unitsAfter'> & { unitsAfter: string })[]>`
    with ${await findReach(sql, owner)}
    select c.pool, p.pair, c.number, c.cash_after, c.base_after, c.units_after, c.market_time from (
      select c.* from spans s join pool_changes c on c.pool = s.pool
         and c.kind in ('trade', 'yield') and c.number < s.last
         and c.number >= coalesce((select n.number from pool_changes n
                                    where n.pool = s.pool and n.kind in ('trade', 'yield')
                                      and n.number > s.first and n.market_time <= ${since}
                                    order by n.number desc limit 1), s.first + 1)
      union all
      select c.* from ends e join pool_changes c on c.pool = e.pool and c.number = e.number) c
      join pools p on p.id = c.pool
     order by c.pool, c.number`
  return found.map((row) => ({ ...row, unitsAfter: BigInt(row.unitsAfter) }))
}

type Page = { limit: number; period?: Period }

/**
 * An id is made up to an hour before its `created_at`. So bounds on the id, wider by this, narrow
 * the scan of the index, and `created_at` decides.
 */
const ID_MARGIN_MS = 3_600_000

const within = ({ from, to, ids }: Period = {}): Fragment => part`
  ${ifGiven(from, (at) => part`and c.id >= ${idAt(at, -ID_MARGIN_MS)} and c.created_at >= ${at}`)}
  ${ifGiven(to, (at) => part`and c.id < ${idAt(at, ID_MARGIN_MS)} and c.created_at < ${at}`)}
  ${ifGiven(ids, ({ first, last }) => part`and c.id between ${first} and ${last}`)}`

const idAt = (time: Date, marginMs: number): string => firstIdAt(time.getTime() + marginMs)

/** Changes with an order, up to the id `until`, newest first. */
export async function findChangesUntil(
  sql: Queries,
  owner: BotsOfUser,
  { until, limit, period }: Page & { until: string | undefined },
): Promise<StoredChange[]> {
  const wanted = part`${ifGiven(until, (id) => part`and c.id <= ${id}`)} ${within(period)}`
  return findPage(sql, owner, { wanted, order: part`order by c.id desc limit ${limit}` })
}

/** Changes with an order, oldest first. */
export async function findChangesAfter(
  sql: Queries,
  owner: BotsOfUser,
  { after, limit }: Page & { after: string | undefined },
): Promise<StoredChange[]> {
  return findPage(sql, owner, {
    wanted: after === undefined ? part`` : part`and c.id > ${after}`,
    order: part`order by c.id limit ${limit}`,
  })
}

/**
 * One page of changes: up to `limit` trades of each pool, read by its index, and the changes at the
 * ends of stays.
 */
async function findPage(
  sql: Queries,
  owner: BotsOfUser,
  { wanted, order }: { wanted: Fragment; order: Fragment },
): Promise<StoredChange[]> {
  const found = await sql<ChangeRow[]>`
    with ${await findReach(sql, owner)}
    select ${columns}, p.pair from (
      select t.* from spans s cross join lateral (
        select c.* from pool_changes c
         where c.pool = s.pool and c.kind = 'trade' and c.quantity > 0 and c.number > s.first
           and c.number < s.last ${wanted} ${order}) t
      union all
      select c.* from ends e join pool_changes c on c.pool = e.pool and c.number = e.number
       where c.quantity > 0 ${wanted}) c
      join pools p on p.id = c.pool
     ${order}`
  return found.map(changeOf)
}
