import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { FOUNDING_SCALE, type Pool } from '#core/pool/pool.ts'
import type { Lots } from '#core/pool/plan.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'

/**
 * Moves all members of a lot at once: the shares of `core/pool/lot.ts` as SQL; tests compare both on random cases. Only the engine moves
 * sleeves, and never between a block's plan and its settlement: so a lot consists of the sleeves in that status, and their sum is what was
 * planned.
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

/** Lots with at most this many members list their users, so that only their browsers refetch. */
export const NAMED = 100

/** The users of moving sleeves, by pool. */
export async function findMovers(tx: Queries, pools: readonly number[]): Promise<Map<number, string[]>> {
  const movers = new Map<number, string[]>()
  if (pools.length === 0) return movers
  const rows = await tx<{ pool: number; userId: string }[]>`
    select distinct pool, user_id from sleeves
     where status in ('joining', 'leaving', 'pausing', 'resuming') and pool = any(${pools.map(String)}::text[]::smallint[])`
  for (const { pool, userId } of rows) movers.set(pool, [...(movers.get(pool) ?? []), userId])
  return movers
}

/** Identifies the change of a pool that a lot takes part in. `userIds`: the users of its members, where they are listed. */
export type At = { pool: number; number: bigint; id: string; userIds?: string[] | undefined }

type Totals = { members: number; userIds: string[] | undefined }

/** `who`: the members. `sums`: what they get in all. `ends`: those whose stay ends, and what it ends with. `set`: what they are afterwards. */
type Lot = { at: At; who: Fragment; sums: Fragment; ends: Ends; set: Fragment }
type Ends = Record<'who' | 'joined' | 'began' | 'leftWith' | 'units' | 'offered' | 'redeemed' | 'paid' | 'paidBase' | 'cashOut' | 'baseOut', Fragment>

/** Three statements that each run beside the rows of the users, wherever these are. They agree, because only the engine moves sleeves. */
async function move<Sums extends object>(tx: Queries, { at, who, sums, ends, set }: Lot): Promise<Sums & Totals> {
  const members = part`pool = ${at.pool} and ${who} ${at.userIds ? part`and user_id = any(${at.userIds}::uuid[])` : part``}`
  const [row] = await tx<(Sums & { members: number })[]>`select count(*)::integer as members, ${sums} from sleeves where ${members}`
  assert(row, 'a sum has a row')
  await tx`
    insert into sleeve_stays (user_id, bot_id, pool, joined, began, left_with, units, offered, redeemed, paid, paid_base, cash_out, base_out)
    select user_id, bot_id, pool, ${ends.joined}, ${ends.began}, ${ends.leftWith}, ${ends.units}, ${ends.offered}, ${ends.redeemed}, ${ends.paid}, ${ends.paidBase},
           ${ends.cashOut}, ${ends.baseOut}
      from sleeves where ${members} and ${ends.who}`
  const { count } = await tx`update sleeves set ${set} where ${members}`
  assert(count === row.members, 'only the engine moves sleeves')
  return { ...row, userIds: at.userIds }
}

/**
 * A stay that ends because its sleeve joins again. One that never held a unit, because a lot paid for an order of which it got no coins, is
 * kept as a stay of no length.
 */
const endedByJoining = ({ number }: At): Ends => ({
  ...present, who: part`(units > 0 or paid > 0)`, leftWith: part`case when units > 0 then ${number} else joined end`, redeemed: part`0`, cashOut: part`0`, baseOut: part`0`,
})

/** A sleeve's present stay, by its own columns. */
const present = { joined: part`joined`, began: part`began`, units: part`units`, offered: part`offered`, paid: part`paid`, paidBase: part`paid_base` }

/** Leftover cash stays idle, unless it is more than a thousandth of the offer: then it waits for the next lot. */
const restOf = (left: Fragment, of: Fragment) => part`case when ${left} > ${of} / 1000 then 'joining' else 'in' end`

/** The members' stays begin with this change. */
const begins = ({ number, id }: At) => part`joined = ${number}, began = ${id}`

export type Joined = Totals & { offered: Units; units: bigint; paid: Units }

const joinedSums = (units: Fragment, due: Fragment) => part`coalesce(sum(cash), 0)::bigint as offered, coalesce(sum(${units}), 0)::text as units, coalesce(sum(${due}), 0)::bigint as paid`

type JoinedRow = Omit<Joined, 'units' | keyof Totals> & { units: string }

/** Joins a lot with an order: units and payment are proportional to each offer. */
export async function joinLot(tx: Queries, at: At, { offered, units, spent }: { offered: Units; units: bigint; spent: Units }): Promise<Joined> {
  const issued = part`div(${units.toString()}::numeric * cash, ${offered})`
  const due = part`div(${spent}::numeric * cash + ${offered - 1n}, ${offered})::bigint`
  const lot = await move<JoinedRow>(tx, {
    at, who: part`status = 'joining'`, sums: joinedSums(issued, due), ends: endedByJoining(at),
    set: part`cash = cash - ${due}, units = units + ${issued}, ${begins(at)}, offered = cash, paid = ${due}, paid_base = 0, status = ${restOf(part`cash - ${due}`, part`cash`)}`,
  })
  return { ...lot, units: BigInt(lot.units) }
}

/** Cash founds an empty pool, or joins one that holds no coins, without an order. */
export async function joinWithCash(tx: Queries, at: At, pool: Pool): Promise<Joined> {
  const isFounded = pool.units === 0n
  const issued = isFounded ? part`cash::numeric * ${FOUNDING_SCALE}` : part`div(cash::numeric * ${pool.units.toString()}, ${pool.cash})`
  const due = isFounded ? part`cash` : part`div(${pool.cash}::numeric * ${issued} + ${(pool.units - 1n).toString()}, ${pool.units.toString()})::bigint`
  const lot = await move<JoinedRow>(tx, {
    at, who: part`status = 'joining' and cash > 0 and ${issued} > 0`, sums: joinedSums(issued, due), ends: endedByJoining(at),
    set: part`cash = cash - ${due}, units = units + ${issued}, ${begins(at)}, offered = cash, paid = ${due}, paid_base = 0, status = ${restOf(part`cash - ${due}`, part`cash`)}`,
  })
  return { ...lot, units: BigInt(lot.units) }
}

export type Resumed = Totals & { units: bigint; paid: Units; paidBase: Units }

/** Returns coins and cash of resumed bots in kind, as far as they fit the pool's mix. Coins that do not fit are sold next. */
export async function joinInKind(tx: Queries, at: At, pool: Pool): Promise<Resumed> {
  const all = part`${pool.units.toString()}::numeric`
  const byBase = part`div(base::numeric * ${all}, ${pool.base})`
  const issued = pool.cash > 0n ? part`least(${byBase}, div(cash::numeric * ${all}, ${pool.cash}))` : byBase
  const due = (of: Units) => part`div(${of}::numeric * ${issued} + ${all} - 1, ${all})::bigint`
  const [cash, base] = [due(pool.cash), due(pool.base)]
  const lot = await move<{ units: string; paid: Units; paidBase: Units }>(tx, {
    at, who: part`status = 'resuming' and ${issued} > 0`, ends: endedByJoining(at),
    sums: part`coalesce(sum(${issued}), 0)::text as units, coalesce(sum(${cash}), 0)::bigint as paid, coalesce(sum(${base}), 0)::bigint as paid_base`,
    set: part`cash = cash - ${cash}, base = base - ${base}, units = units + ${issued}, ${begins(at)}, offered = 0, paid = ${cash}, paid_base = ${base},
              status = case when base > ${base} then 'resuming' else ${restOf(part`cash - ${cash}`, part`cash`)} end`,
  })
  return { ...lot, units: BigInt(lot.units) }
}

/** Stays that end with this change: the units that each redeems, and what they brought. */
const redeemed = ({ number }: At, outcome: Record<'redeemed' | 'cashOut' | 'baseOut', Fragment>): Ends => ({ ...present, who: part`true`, leftWith: part`${number}::bigint`, ...outcome })

export type Left = Totals & { leaving: bigint; units: bigint; paid: Units }

/** Redeems a lot, fully or in part: units and money are proportional to the units that each member wants out. */
export async function leaveLot(tx: Queries, at: At, { leaving, units, proceeds }: { leaving: bigint; units: bigint; proceeds: Units }): Promise<Left> {
  const all = part`${leaving.toString()}::numeric`
  // A lot that leaves as a whole redeems what it wanted: a division less for each use and row.
  const share = units === leaving ? part`leaving` : part`least(leaving, div(${units.toString()}::numeric * leaving + ${all} - 1, ${all}))`
  const out = part`div(${proceeds}::numeric * leaving, ${all})::bigint`
  const lot = await move<{ leaving: string; units: string; paid: Units }>(tx, {
    at, who: part`status = 'leaving' and leaving > 0`, ends: redeemed(at, { redeemed: share, cashOut: out, baseOut: part`0` }),
    sums: part`coalesce(sum(leaving), 0)::text as leaving, coalesce(sum(${share}), 0)::text as units, coalesce(sum(${out}), 0)::bigint as paid`,
    set: part`units = units - ${share}, leaving = leaving - ${share},
              cash = cash + case when leaving = units then ${out} else 0 end, taken = taken + case when leaving < units then ${out} else 0 end,
              ${begins(at)}, offered = 0, paid = 0, paid_base = 0,
              status = case when leaving > ${share} then 'leaving'
                            when leaving < units then ${restOf(part`cash`, part`paid`)}
                            when base > 0 then 'leaving' else 'out' end`,
  })
  return { ...lot, leaving: BigInt(lot.leaving), units: BigInt(lot.units) }
}

export type Sold = Totals & { held: Units; base: Units; paid: Units }

/** Sells bots' own coins, fully or in part, proportionally to what each held. */
export async function sellOwn(tx: Queries, at: At, { held, quantity, total }: { held: Units; quantity: Units; total: Units }): Promise<Sold> {
  const sold = part`div(${quantity}::numeric * base + ${held - 1n}, ${held})::bigint`
  const out = part`div(${total}::numeric * base, ${held})::bigint`
  const now = part`${at.number}::bigint`
  return move<{ held: Units; base: Units; paid: Units }>(tx, {
    at, who: part`status in ('leaving', 'resuming') and base > 0`,
    ends: {
      who: part`true`, joined: now, began: part`${at.id}::uuid`, leftWith: now, units: part`0`, offered: part`0`, redeemed: part`base`, paid: part`0`, paidBase: part`0`,
      cashOut: out, baseOut: part`-${sold}`,
    },
    sums: part`coalesce(sum(base), 0)::bigint as held, coalesce(sum(${sold}), 0)::bigint as base, coalesce(sum(${out}), 0)::bigint as paid`,
    set: part`base = base - ${sold}, cash = cash + ${out},
              status = case when base > ${sold} then status
                            when status = 'resuming' then ${restOf(part`cash + ${out}`, part`paid`)}
                            when units > 0 then 'leaving' else 'out' end`,
  })
}

/** The members' stays have ended, and none begins. */
const nothing = part`joined = 0, began = null, offered = 0, paid = 0, paid_base = 0`

export type Paused = Totals & { units: bigint; cash: Units; base: Units }

/** Gives pausing bots their part of the pool in kind, like `leaveTogether` in core. */
export async function pauseAll(tx: Queries, at: At, pool: Pool): Promise<Paused> {
  const share = (of: Units) => part`div(${of}::numeric * units, ${pool.units.toString()})::bigint`
  const [cash, base] = [share(pool.cash), share(pool.base)]
  const lot = await move<{ units: string; cash: Units; base: Units }>(tx, {
    at, who: part`status = 'pausing'`, ends: redeemed(at, { redeemed: part`units`, cashOut: cash, baseOut: base }),
    sums: part`coalesce(sum(units), 0)::text as units, coalesce(sum(${cash}), 0)::bigint as cash, coalesce(sum(${base}), 0)::bigint as base`,
    set: part`cash = cash + ${cash}, base = base + ${base}, units = 0, ${nothing}, status = 'paused'`,
  })
  return { ...lot, units: BigInt(lot.units) }
}

/** Ends the stays in a pool that holds nothing, without proceeds. */
export async function endWorthlessStays(tx: Queries, at: At): Promise<Totals> {
  return move(tx, {
    at, who: part`units > 0`, ends: redeemed(at, { redeemed: part`units`, cashOut: part`0`, baseOut: part`0` }), sums: part`sum(units)::text as units`,
    set: part`units = 0, leaving = 0, ${nothing},
              status = case when status = 'pausing' then 'paused' when status = 'leaving' and base = 0 then case when leaving = units then 'out' else 'in' end else status end`,
  })
}
