import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { FOUNDING_SCALE, type Pool } from '#core/pool/pool.ts'
import type { Lots } from '#core/pool/plan.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'

/**
 * Moves all members of a lot in one statement: the shares of `core/pool/lot.ts` as SQL; tests compare both on random cases. Only the engine
 * moves sleeves, and never between a block's plan and its settlement: so a lot consists of the sleeves in that status, and their sum is what
 * was planned.
 */

/** The moving members of a pool, including those that need no order because they pause or resume. */
export type Moving = Lots & { pausing: number; resuming: number; members: number }

export async function sumLots(sql: Queries): Promise<Map<number, Moving>> {
  type Row = { pool: number; joiners: number; cash: Units; leavers: number; units: string; holders: number; base: Units; pausing: number; resuming: number; members: number }
  const rows = await sql<Row[]>`
    select pool,
           (count(*) filter (where status = 'joining'))::integer as joiners, coalesce(sum(cash) filter (where status = 'joining'), 0)::bigint as cash,
           (count(*) filter (where leaving > 0))::integer as leavers, coalesce(sum(leaving), 0)::text as units,
           (count(*) filter (where base > 0))::integer as holders, coalesce(sum(base), 0)::bigint as base,
           (count(*) filter (where status = 'pausing'))::integer as pausing, (count(*) filter (where status = 'resuming'))::integer as resuming,
           count(*)::integer as members
      from sleeves where status in ('joining', 'leaving', 'pausing', 'resuming') group by pool`
  return new Map(rows.map((row) => [row.pool, movingOf(row)]))

  function movingOf({ joiners, cash, leavers, units, holders, base, ...counts }: Row): Moving {
    const { pausing, resuming, members } = counts
    return { joining: { cash, members: joiners }, leaving: { units: BigInt(units), members: leavers }, own: { base, members: holders }, pausing, resuming, members }
  }
}

/** Identifies the change of a pool that a lot takes part in. */
export type At = { pool: number; number: bigint; id: string }

/** The id of the change that began the present stay of a sleeve. */
const withBegan = part`left join lateral (select c.id as began from pool_changes c where c.pool = sleeves.pool and c.number = sleeves.joined) as change on true`

/** Lots with at most this many members list their users, so that only their browsers refetch. */
export const NAMED = 100

type Totals = { members: number; userIds: string[] }

const named = (from: Fragment) => part`count(*)::integer as members, array(select user_id from ${from} limit ${NAMED}) as user_ids from ${from}`

/**
 * A stay that ends because its sleeve joins again. One that never held a unit, because a lot paid for an order of which it got no coins, is
 * kept as a stay of no length.
 */
const endStays = ({ pool, number }: At, who: Fragment) => part`
  insert into sleeve_stays (user_id, bot_id, pool, joined, began, left_with, units, offered, redeemed, paid, paid_base, cash_out, base_out)
  select user_id, bot_id, pool, joined, began, case when units > 0 then ${number} else joined end, units, offered, 0, paid, paid_base, 0, 0
    from sleeves ${withBegan} where pool = ${pool} and (units > 0 or paid > 0) and ${who}`

/** Leftover cash stays idle, unless it is more than a thousandth of the offer: then it waits for the next lot. */
const restOf = (left: Fragment, of: Fragment) => part`case when ${left} > ${of} / 1000 then 'joining' else 'in' end`

export type Joined = Totals & { offered: Units; units: bigint; paid: Units }

/** Joins a lot with an order: units and payment are proportional to each offer. */
export async function joinLot(tx: Queries, at: At, { offered, units, spent }: { offered: Units; units: bigint; spent: Units }): Promise<Joined> {
  const due = part`div(${spent}::numeric * cash + ${offered - 1n}, ${offered})::bigint`
  const [row] = await tx<(Omit<Joined, 'units'> & { units: string })[]>`
    with ended as (${endStays(at, part`status = 'joining'`)}),
    moved as (
      update sleeves
         set cash = cash - ${due}, units = units + div(${units.toString()}::numeric * cash, ${offered}), joined = ${at.number}, offered = cash, paid = ${due},
             paid_base = 0, status = ${restOf(part`cash - ${due}`, part`cash`)}
       where pool = ${at.pool} and status = 'joining'
      returning user_id, offered, div(${units.toString()}::numeric * offered, ${offered}) as issued, paid)
    select coalesce(sum(offered), 0)::bigint as offered, coalesce(sum(issued), 0)::text as units, coalesce(sum(paid), 0)::bigint as paid, ${named(part`moved`)}`
  assert(row, 'a sum has a row')
  return { ...row, units: BigInt(row.units) }
}

/** Cash founds an empty pool, or joins one that holds no coins, without an order. */
export async function joinWithCash(tx: Queries, at: At, pool: Pool): Promise<Joined> {
  const isFounded = pool.units === 0n
  const issued = isFounded ? part`cash::numeric * ${FOUNDING_SCALE}` : part`div(cash::numeric * ${pool.units.toString()}, ${pool.cash})`
  const due = isFounded ? part`cash` : part`div(${pool.cash}::numeric * ${issued} + ${(pool.units - 1n).toString()}, ${pool.units.toString()})::bigint`
  const who = part`status = 'joining' and cash > 0 and ${issued} > 0`
  const [row] = await tx<(Omit<Joined, 'units'> & { units: string })[]>`
    with ended as (${endStays(at, who)}),
    moved as (
      update sleeves
         set cash = cash - ${due}, units = units + ${issued}, joined = ${at.number}, offered = cash, paid = ${due}, paid_base = 0,
             status = ${restOf(part`cash - ${due}`, part`cash`)}
       where pool = ${at.pool} and ${who}
      returning user_id, offered, paid, ${isFounded ? part`offered::numeric * ${FOUNDING_SCALE}` : part`div(offered::numeric * ${pool.units.toString()}, ${pool.cash})`} as issued)
    select coalesce(sum(offered), 0)::bigint as offered, coalesce(sum(issued), 0)::text as units, coalesce(sum(paid), 0)::bigint as paid, ${named(part`moved`)}`
  assert(row, 'a sum has a row')
  return { ...row, units: BigInt(row.units) }
}

export type Resumed = Totals & { units: bigint; paid: Units; paidBase: Units }

/** Returns coins and cash of resumed bots in kind, as far as they fit the pool's mix. Coins that do not fit are sold next. */
export async function joinInKind(tx: Queries, at: At, pool: Pool): Promise<Resumed> {
  const all = part`${pool.units.toString()}::numeric`
  const byBase = part`div(base::numeric * ${all}, ${pool.base})`
  const issued = pool.cash > 0n ? part`least(${byBase}, div(cash::numeric * ${all}, ${pool.cash}))` : byBase
  const due = (of: Units, units: Fragment) => part`div(${of}::numeric * ${units} + ${all} - 1, ${all})::bigint`
  const [row] = await tx<(Omit<Resumed, 'units'> & { units: string })[]>`
    with ended as (${endStays(at, part`status = 'resuming' and ${issued} > 0`)}),
    moved as (
      update sleeves
         set cash = cash - ${due(pool.cash, issued)}, base = base - ${due(pool.base, issued)}, units = units + ${issued}, joined = ${at.number}, offered = 0,
             paid = ${due(pool.cash, issued)}, paid_base = ${due(pool.base, issued)},
             status = case when base > ${due(pool.base, issued)} then 'resuming' else ${restOf(part`cash - ${due(pool.cash, issued)}`, part`cash`)} end
       where pool = ${at.pool} and status = 'resuming' and ${issued} > 0
      returning user_id, bot_id, paid, paid_base),
    -- The issued units are not in the new row, so they are computed from the old one.
    gained as (
      select coalesce(sum(${issued}), 0) as units from sleeves where pool = ${at.pool} and status = 'resuming' and ${issued} > 0)
    select (select units::text from gained) as units, coalesce(sum(paid), 0)::bigint as paid, coalesce(sum(paid_base), 0)::bigint as paid_base, ${named(part`moved`)}`
  assert(row, 'a sum has a row')
  return { ...row, units: BigInt(row.units) }
}

/** Ends the stays of these sleeves: the units that each redeems, and what they brought. */
const redeemStays = ({ pool, number }: At, { who, redeemed, cashOut, baseOut }: Record<'who' | 'redeemed' | 'cashOut' | 'baseOut', Fragment>) => part`
  insert into sleeve_stays (user_id, bot_id, pool, joined, began, left_with, units, offered, redeemed, paid, paid_base, cash_out, base_out)
  select user_id, bot_id, pool, joined, began, ${number}, units, offered, ${redeemed}, paid, paid_base, ${cashOut}, ${baseOut} from sleeves ${withBegan} where pool = ${pool} and ${who}
  returning user_id, redeemed, cash_out, base_out`

export type Left = Totals & { leaving: bigint; units: bigint; paid: Units }

/** Redeems a lot, fully or in part: units and money are proportional to the units that each member wants out. */
export async function leaveLot(tx: Queries, at: At, { leaving, units, proceeds }: { leaving: bigint; units: bigint; proceeds: Units }): Promise<Left> {
  const all = part`${leaving.toString()}::numeric`
  // A lot that leaves as a whole redeems what it wanted: a division less for each use and row.
  const redeemed = units === leaving ? part`leaving` : part`least(leaving, div(${units.toString()}::numeric * leaving + ${all} - 1, ${all}))`
  const out = part`div(${proceeds}::numeric * leaving, ${all})::bigint`
  const [row] = await tx<(Totals & { leaving: string; units: string; paid: Units })[]>`
    with ended as (${redeemStays(at, { who: part`status = 'leaving' and leaving > 0`, redeemed, cashOut: out, baseOut: part`0` })}),
    wanted as (select coalesce(sum(leaving), 0) as leaving from sleeves where pool = ${at.pool} and status = 'leaving'),
    moved as (
      update sleeves
         set units = units - ${redeemed}, leaving = leaving - ${redeemed},
             cash = cash + case when leaving = units then ${out} else 0 end, taken = taken + case when leaving < units then ${out} else 0 end,
             joined = ${at.number}, offered = 0, paid = 0, paid_base = 0,
             status = case when leaving > ${redeemed} then 'leaving'
                           when leaving < units then ${restOf(part`cash`, part`paid`)}
                           when base > 0 then 'leaving' else 'out' end
       where pool = ${at.pool} and status = 'leaving' and leaving > 0)
    select (select leaving::text from wanted) as leaving, coalesce(sum(redeemed), 0)::text as units, coalesce(sum(cash_out), 0)::bigint as paid, ${named(part`ended`)}`
  assert(row, 'a sum has a row')
  return { ...row, leaving: BigInt(row.leaving), units: BigInt(row.units) }
}

export type Sold = Totals & { held: Units; base: Units; paid: Units }

/** Sells bots' own coins, fully or in part, proportionally to what each held. */
export async function sellOwn(tx: Queries, at: At, { held, quantity, total }: { held: Units; quantity: Units; total: Units }): Promise<Sold> {
  const sold = part`div(${quantity}::numeric * base + ${held - 1n}, ${held})::bigint`
  const out = part`div(${total}::numeric * base, ${held})::bigint`
  const [row] = await tx<Sold[]>`
    with ended as (
      insert into sleeve_stays (user_id, bot_id, pool, joined, began, left_with, units, offered, redeemed, paid, paid_base, cash_out, base_out)
      select user_id, bot_id, pool, ${at.number}, ${at.id}, ${at.number}, 0, 0, base, 0, 0, ${out}, -${sold}
        from sleeves where pool = ${at.pool} and status in ('leaving', 'resuming') and base > 0
      returning user_id, redeemed, cash_out, base_out),
    moved as (
      update sleeves
         set base = base - ${sold}, cash = cash + ${out},
             status = case when base > ${sold} then status
                           when status = 'resuming' then ${restOf(part`cash + ${out}`, part`paid`)}
                           when units > 0 then 'leaving' else 'out' end
       where pool = ${at.pool} and status in ('leaving', 'resuming') and base > 0)
    select coalesce(sum(redeemed), 0)::bigint as held, coalesce(-sum(base_out), 0)::bigint as base, coalesce(sum(cash_out), 0)::bigint as paid, ${named(part`ended`)}`
  assert(row, 'a sum has a row')
  return row
}

export type Paused = Totals & { units: bigint; cash: Units; base: Units }

/** Gives pausing bots their part of the pool in kind, like `leaveTogether` in core. */
export async function pauseAll(tx: Queries, at: At, pool: Pool): Promise<Paused> {
  const share = (of: Units) => part`div(${of}::numeric * units, ${pool.units.toString()})::bigint`
  const [row] = await tx<(Omit<Paused, 'units'> & { units: string })[]>`
    with ended as (${redeemStays(at, { who: part`status = 'pausing'`, redeemed: part`units`, cashOut: share(pool.cash), baseOut: share(pool.base) })}),
    moved as (
      update sleeves
         set cash = cash + ${share(pool.cash)}, base = base + ${share(pool.base)}, units = 0, joined = 0, offered = 0, paid = 0, paid_base = 0, status = 'paused'
       where pool = ${at.pool} and status = 'pausing')
    select coalesce(sum(redeemed), 0)::text as units, coalesce(sum(cash_out), 0)::bigint as cash, coalesce(sum(base_out), 0)::bigint as base, ${named(part`ended`)}`
  assert(row, 'a sum has a row')
  return { ...row, units: BigInt(row.units) }
}

/** Ends the stays in a pool that holds nothing, without proceeds. */
export async function endWorthlessStays(tx: Queries, at: At): Promise<Totals> {
  const [row] = await tx<Totals[]>`
    with ended as (${redeemStays(at, { who: part`units > 0`, redeemed: part`units`, cashOut: part`0`, baseOut: part`0` })}),
    moved as (
      update sleeves
         set units = 0, leaving = 0, joined = 0, offered = 0, paid = 0, paid_base = 0,
             status = case when status = 'pausing' then 'paused' when status = 'leaving' and base = 0 then case when leaving = units then 'out' else 'in' end else status end
       where pool = ${at.pool} and units > 0)
    select ${named(part`ended`)}`
  assert(row, 'a sum has a row')
  return row
}
