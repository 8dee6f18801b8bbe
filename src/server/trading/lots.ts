import { assert } from '#core/assert.ts'
import type { MovedLot } from '#core/pool/lot.ts'
import type { Units } from '#core/money/amount.ts'
import { FOUNDING_SCALE, type Pool } from '#core/pool/pool.ts'
import type { Lots } from '#core/pool/plan.ts'
import { rows } from '#server/db/rows.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { statusAfter } from './sleeve-status.ts'

/**
 * Moves all members of lots at once, at most one lot of each pool: the shares of `core/pool/lot.ts`
 * and `pool.ts` as SQL; tests compare both on random cases. Only the engine moves sleeves, and
 * never between a block's plan and its settlement, so a lot is the sleeves in its status. Three
 * statements move a lot, each beside the users' rows: its sums, the stays that end, and the
 * sleeves. Lots without members are not returned.
 */

/** All moving members of a pool, also those that need no order. */
export type Moving = Lots & { pausing: number; resuming: number; members: number }

export async function sumLots(sql: Queries): Promise<Map<number, Moving>> {
  type Row = {
    pool: number
    joiners: number
    cash: Units
    leavers: number
    units: string
    holders: number
    base: Units
    pausing: number
    resuming: number
    members: number
  }
  const sums = await sql<Row[]>`
    select pool,
           (count(*) filter (where status = 'joining'))::integer as joiners,
           coalesce(sum(cash) filter (where status = 'joining'), 0)::bigint as cash,
           (count(*) filter (where leaving > 0))::integer as leavers,
           coalesce(sum(leaving), 0)::text as units,
           (count(*) filter (where base > 0))::integer as holders,
           coalesce(sum(base), 0)::bigint as base,
           (count(*) filter (where status = 'pausing'))::integer as pausing,
           (count(*) filter (where status = 'resuming'))::integer as resuming,
           count(*)::integer as members
      from sleeves where status in ('joining', 'leaving', 'pausing', 'resuming') group by pool`
  return new Map(
    sums.map(({ pool, joiners, cash, leavers, units, holders, base, ...counts }) => [
      pool,
      {
        ...counts,
        joining: { cash, members: joiners },
        leaving: { units: BigInt(units), members: leavers },
        own: { base, members: holders },
      },
    ]),
  )
}

/** Lots of at most this many members list their users, so that only their browsers refetch. */
export const NAMED = 100

export async function findMovers(
  tx: Queries,
  pools: readonly number[],
): Promise<Map<number, string[]>> {
  const movers = new Map<number, string[]>()
  if (pools.length === 0) return movers
  const moving = await tx<{ pool: number; userId: string }[]>`
    select distinct pool, user_id from sleeves
     where status in ('joining', 'leaving', 'pausing', 'resuming')
       and pool = any(${[...pools]}::smallint[])`
  for (const { pool, userId } of moving) movers.set(pool, [...(movers.get(pool) ?? []), userId])
  return movers
}

/** The users who move in `pools`; undefined if those of some pool are not listed. */
export function usersOf(
  pools: readonly number[],
  movers: ReadonlyMap<number, string[]>,
): string[] | undefined {
  if (!pools.every((pool) => movers.has(pool))) return undefined
  return pools.flatMap((pool) => movers.get(pool) ?? [])
}

/** The change of a pool that a lot takes part in. */
type At = { pool: number; number: bigint }

/** A lot with the amounts that its members share. */
type Lot<Amount extends string> = At & Record<Amount, bigint>

/** A lot with the pool that its members share. */
type PoolLot = At & { of: Pool }

export type Moved = MovedLot & { members: number }

export const NOBODY_MOVED: Moved = {
  members: 0,
  weight: 0n,
  units: 0n,
  own: { cash: 0n, base: 0n },
}

/** Joins with an order: units and payment are proportional to each offer. */
export function joinLots(
  tx: Queries,
  lots: readonly Lot<'offered' | 'units' | 'spent'>[],
): Promise<Map<number, Moved>> {
  return join(
    tx,
    part`
      select s.*, given.number, s.cash as offer, div(given.units * s.cash, given.offered) as issued,
             div(given.spent * s.cash + given.offered - 1, given.offered)::bigint as due,
             0 as due_base
        from sleeves s, ${listed(lots, ['offered', 'units', 'spent'])}
       where s.pool = given.pool and s.status = 'joining'`,
  )
}

/** Founds empty pools with cash, or joins those that hold no coins. */
export function joinWithCash(tx: Queries, lots: readonly PoolLot[]): Promise<Map<number, Moved>> {
  return join(
    tx,
    part`
      select s.*, given.number, s.cash as offer, issued, 0 as due_base,
             case when given.units = 0 then s.cash
             else div(given.cash * issued + given.units - 1, given.units)::bigint end as due
        from sleeves s, ${held(lots)} cross join lateral (
             select case when given.units = 0 then s.cash::numeric * ${FOUNDING_SCALE}
                    else div(s.cash * given.units, given.cash) end as issued) i
       where s.pool = given.pool and s.status = 'joining' and s.cash > 0 and issued > 0`,
  )
}

/**
 * Returns coins and cash of resumed bots as far as they fit the pool's mix. Other coins are sold
 * next.
 */
export function joinInKind(tx: Queries, lots: readonly PoolLot[]): Promise<Map<number, Moved>> {
  return join(
    tx,
    part`
      select s.*, given.number, 0 as offer, issued,
             div(given.cash * issued + given.units - 1, given.units)::bigint as due,
             div(given.base * issued + given.units - 1, given.units)::bigint as due_base
        from sleeves s, ${held(lots)} cross join lateral (
             select least(div(s.base * given.units, given.base), case when given.cash > 0
                    then div(s.cash * given.units, given.cash) end) as issued) i
       where s.pool = given.pool and s.status = 'resuming' and issued > 0`,
  )
}

/**
 * Begins the stays of `members`. A stay that never held a unit, because its lot paid but got no
 * coins, is kept with no length.
 */
async function join(tx: Queries, members: Fragment): Promise<Map<number, Moved>> {
  const sums = await tx<Sums[]>`
    select pool, count(*)::integer as members, sum(offer)::text as weight,
           sum(issued)::text as units, (-sum(due))::bigint as cash, (-sum(due_base))::bigint as base
      from (${members}) m group by pool`
  await tx`
    insert into sleeve_stays (user_id, bot_id, pool, joined, left_with, units,
           offered, redeemed, paid, paid_base, cash_out, base_out)
    select user_id, bot_id, pool, joined,
           case when units > 0 then number else joined end, units, offered, 0, paid, paid_base, 0, 0
      from (${members}) m where units > 0 or paid > 0`
  const count = await change(
    tx,
    members,
    part`
      cash = s.cash - m.due, base = s.base - m.due_base, units = s.units + m.issued,
           joined = m.number, offered = m.offer, paid = m.due,
           paid_base = m.due_base,
           status = ${statusAfter('joined', {
             cash: part`s.cash - m.due`,
             offer: part`s.cash`,
             base: part`s.base - m.due_base`,
           })}`,
  )
  return movedOf(sums, count)
}

/** `cash`: the pool, if it holds no coins. */
type Leaving = Lot<'leaving' | 'units' | 'proceeds'> & { cash?: Pool | undefined }

/**
 * Redeems lots, fully or in part, in proportion to the units that each member wants out. Cash of a
 * pool without coins is rounded up, like `takenBy` in core, other money down.
 */
export async function leaveLots(
  tx: Queries,
  leaving: readonly Leaving[],
): Promise<Map<number, Moved>> {
  const lots = leaving.map(({ cash, ...lot }) =>
    cash
      ? { ...lot, proceeds: cash.cash, among: cash.units, up: cash.units - 1n }
      : { ...lot, among: lot.leaving, up: 0n },
  )
  // A lot that leaves as a whole saves a division for each row.
  const members = part`
    select s.*, given.number, s.leaving as weight, 0 as base_out,
           case when given.units = given.leaving then s.leaving
           else least(s.leaving,
                div(given.units * s.leaving + given.leaving - 1, given.leaving)) end as redeemed,
           div(given.proceeds * s.leaving + given.up, given.among)::bigint as cash_out
      from sleeves s, ${listed(lots, ['leaving', 'units', 'proceeds', 'among', 'up'])}
     where s.pool = given.pool and s.status = 'leaving' and s.leaving > 0`
  return endStays(
    tx,
    members,
    part`
      units = s.units - m.redeemed, leaving = s.leaving - m.redeemed,
           cash = s.cash + case when s.leaving = s.units then m.cash_out else 0 end,
           taken = s.taken + case when s.leaving < s.units then m.cash_out else 0 end,
           joined = m.number, offered = 0, paid = 0, paid_base = 0,
           status = ${statusAfter('left', {
             cash: part`s.cash`,
             offer: part`s.paid`,
             base: part`s.base`,
             units: part`s.units - m.redeemed`,
             leaving: part`s.leaving - m.redeemed`,
           })}`,
  )
}

/** Sells bots' own coins, fully or in part, in proportion to what each held. */
export async function sellOwn(
  tx: Queries,
  lots: readonly Lot<'held' | 'quantity' | 'total'>[],
): Promise<Map<number, Moved>> {
  // A sale is a stay of no length.
  const members = part`
    select s.user_id, s.bot_id, s.pool, given.number as joined, given.number,
           0 as units, 0 as offered, 0 as paid, 0 as paid_base,
           s.base as weight, s.base as redeemed,
           div(given.total * s.base, given.held)::bigint as cash_out,
           -div(given.quantity * s.base + given.held - 1, given.held)::bigint as base_out
      from sleeves s, ${listed(lots, ['held', 'quantity', 'total'])}
     where s.pool = given.pool and s.status in ('leaving', 'resuming') and s.base > 0`
  return endStays(
    tx,
    members,
    part`
      cash = s.cash + m.cash_out, base = s.base + m.base_out,
           status = ${statusAfter('own-sold', {
             cash: part`s.cash + m.cash_out`,
             offer: part`s.paid`,
             base: part`s.base + m.base_out`,
             units: part`s.units`,
           })}`,
  )
}

/** Pays pausing bots their part in kind, like `leaveTogether` in core. */
export function pauseAll(tx: Queries, lots: readonly PoolLot[]): Promise<Map<number, Moved>> {
  return empty(
    tx,
    'paused',
    part`
      select s.*, given.number, s.units as weight, s.units as redeemed,
             div(given.cash * s.units + case when given.base = 0 then given.units - 1 else 0 end,
             given.units)::bigint as cash_out,
             div(given.base * s.units, given.units)::bigint as base_out
        from sleeves s, ${held(lots)}
       where s.pool = given.pool and s.status = 'pausing'`,
  )
}

/** Ends all stays in pools that hold nothing, without proceeds. */
export function endWorthlessStays(tx: Queries, lots: readonly At[]): Promise<Map<number, Moved>> {
  return empty(
    tx,
    'worthless',
    part`
      select s.*, given.number, s.units as weight, s.units as redeemed, 0 as cash_out,
             0 as base_out
        from sleeves s, ${listed(lots, [])} where s.pool = given.pool and s.units > 0`,
  )
}

/** Ends the stays of `members` with all of their units. */
async function empty(
  tx: Queries,
  event: 'paused' | 'worthless',
  members: Fragment,
): Promise<Map<number, Moved>> {
  return endStays(
    tx,
    members,
    part`
      cash = s.cash + m.cash_out, base = s.base + m.base_out, units = 0, leaving = 0,
           joined = 0, offered = 0, paid = 0, paid_base = 0,
           status = ${statusAfter(event, {
             base: part`s.base`,
             units: part`s.units`,
             leaving: part`s.leaving`,
           })}`,
  )
}

type Sums = {
  pool: number
  members: number
  weight: string
  units: string
  cash: Units
  base: Units
}

/** Keeps the ended stays of `members` and changes their sleeves. */
async function endStays(
  tx: Queries,
  members: Fragment,
  changes: Fragment,
): Promise<Map<number, Moved>> {
  const sums = await tx<Sums[]>`
    select pool, count(*)::integer as members, sum(weight)::text as weight,
           sum(redeemed)::text as units, sum(cash_out)::bigint as cash,
           sum(base_out)::bigint as base
      from (${members}) m group by pool`
  await tx`
    insert into sleeve_stays (user_id, bot_id, pool, joined, left_with, units,
           offered, redeemed, paid, paid_base, cash_out, base_out)
    select user_id, bot_id, pool, joined, number, units, offered, redeemed, paid,
           paid_base, cash_out, base_out from (${members}) m`
  return movedOf(sums, await change(tx, members, changes))
}

/** Changes the sleeves `s` of `members` `m`. Returns their number. */
async function change(tx: Queries, members: Fragment, changes: Fragment): Promise<number> {
  const { count } = await tx`
    update sleeves s set ${changes} from (${members}) m
     where s.user_id = m.user_id and s.bot_id = m.bot_id and s.pool = m.pool`
  return count
}

/** `count`: sleeves that were changed. */
function movedOf(sums: readonly Sums[], count: number): Map<number, Moved> {
  const all = sums.reduce((sum, { members }) => sum + members, 0)
  assert(count === all, 'only the engine moves sleeves')
  return new Map(
    sums.map(({ pool, members, weight, units, cash, base }) => [
      pool,
      { members, weight: BigInt(weight), units: BigInt(units), own: { cash, base } },
    ]),
  )
}

function listed<Amount extends string>(
  lots: readonly Lot<Amount>[],
  amounts: readonly Amount[],
): Fragment {
  return rows(lots, {
    pool: 'smallint',
    number: 'bigint',
    ...Object.fromEntries(
      amounts.map((name) => [name, ['numeric', (lot: Lot<Amount>) => lot[name]] as const]),
    ),
  })
}

const held = (lots: readonly PoolLot[]): Fragment =>
  listed(
    lots.map(({ of, ...at }) => ({ ...of, ...at })),
    ['cash', 'base', 'units'],
  )
