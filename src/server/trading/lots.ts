import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { FOUNDING_SCALE, type Pool } from '#core/pool/pool.ts'
import type { Lots } from '#core/pool/plan.ts'
import { commas, part, type Fragment, type Queries } from '#server/db/statement.ts'

/**
 * Moves all members of a lot at once: the shares of `core/pool/lot.ts` as SQL; tests compare both
 * on random cases. Only the engine moves sleeves, and never between a block's plan and its
 * settlement: so a lot consists of the sleeves in that status, and their sum is what was planned.
 */

/**
 * The moving members of a pool, including those that need no order because they pause or resume.
 */
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
  const rows = await sql<Row[]>`
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
  return new Map(rows.map((row) => [row.pool, movingOf(row)]))

  function movingOf({ joiners, cash, leavers, units, holders, base, ...counts }: Row): Moving {
    const { pausing, resuming, members } = counts
    return {
      joining: { cash, members: joiners },
      leaving: { units: BigInt(units), members: leavers },
      own: { base, members: holders },
      pausing,
      resuming,
      members,
    }
  }
}

/** Lots with at most this many members list their users, so that only their browsers refetch. */
export const NAMED = 100

/** The users of moving sleeves, by pool. */
export async function findMovers(
  tx: Queries,
  pools: readonly number[],
): Promise<Map<number, string[]>> {
  const movers = new Map<number, string[]>()
  if (pools.length === 0) return movers
  const rows = await tx<{ pool: number; userId: string }[]>`
    select distinct pool, user_id from sleeves
     where status in ('joining', 'leaving', 'pausing', 'resuming')
       and pool = any(${pools.map(String)}::text[]::smallint[])`
  for (const { pool, userId } of rows) movers.set(pool, [...(movers.get(pool) ?? []), userId])
  return movers
}

/**
 * Identifies the change of a pool that a lot takes part in. `userIds`: the users of its members,
 * where they are listed.
 */
export type At = { pool: number; number: bigint; id: string; userIds?: string[] | undefined }

type Totals = { members: number; userIds: string[] | undefined }

/** A lot, with the amounts that it is shared by. */
type Lot<Amount extends string> = At & Record<Amount, bigint>

/**
 * How sleeves `s` are moved by lots `l`. `who`: the members. `sums`: what they get in all. `ends`:
 * those whose stay ends, and what it ends with. `set`: what they are afterwards.
 */
type Move<Amount extends string> = {
  amounts: readonly Amount[]
  who: Fragment
  sums: Fragment
  ends: Ends
  set: Fragment
}
type Ends = Record<
  | 'who'
  | 'joined'
  | 'began'
  | 'leftWith'
  | 'units'
  | 'offered'
  | 'redeemed'
  | 'paid'
  | 'paidBase'
  | 'cashOut'
  | 'baseOut',
  Fragment
>

/**
 * Moves the lots of several pools, at most one of each. Three statements that each run beside the
 * rows of the users, wherever these are. They agree, because only the engine moves sleeves. A lot
 * without members is left out of the answer.
 */
async function move<Sums extends object, Amount extends string>(
  tx: Queries,
  lots: readonly Lot<Amount>[],
  { amounts, who, sums, ends, set }: Move<Amount>,
): Promise<Map<number, Sums & Totals>> {
  if (lots.length === 0) return new Map()
  const numbers = amounts.map(
    (name) => part`${lots.map((lot) => lot[name].toString())}::text[]::numeric[]`,
  )
  const lot = part`
    unnest(${commas([
      part`${lots.map(({ pool }) => String(pool))}::text[]::smallint[]`,
      part`${lots.map(({ number }) => String(number))}::text[]::bigint[]`,
      part`${lots.map(({ id }) => id)}::text[]::uuid[]`,
      ...numbers,
    ])}) as l (${tx(['pool', 'number', 'id', ...amounts])})`
  const members = part`s.pool = l.pool and ${who} ${ofUsers(lots)}`
  const rows = await tx<
    (Sums & { pool: number; members: number })[]
  >`select s.pool, count(*)::integer as members, ${sums} from sleeves s, ${lot} where ${members}
    group by s.pool`
  await tx`
    insert into sleeve_stays (user_id, bot_id, pool, joined, began, ended,
           left_with, units, offered, redeemed, paid, paid_base, cash_out, base_out)
    select s.user_id, s.bot_id, s.pool, ${ends.joined}, ${ends.began}, l.id, ${ends.leftWith},
           ${ends.units}, ${ends.offered}, ${ends.redeemed}, ${ends.paid}, ${ends.paidBase},
           ${ends.cashOut}, ${ends.baseOut}
      from sleeves s, ${lot} where ${members} and ${ends.who}`
  const { count } = await tx`update sleeves s set ${set} from ${lot} where ${members}`
  assert(count === rows.reduce((sum, row) => sum + row.members, 0), 'only the engine moves sleeves')
  const usersOf = new Map(lots.map(({ pool, userIds }) => [pool, userIds]))
  return new Map(rows.map((row) => [row.pool, { ...row, userIds: usersOf.get(row.pool) }]))
}

/** Limits a statement to the nodes of its users, if all of them are listed. */
function ofUsers(lots: readonly At[]): Fragment {
  const users = new Set<string>()
  for (const { userIds } of lots) {
    if (userIds === undefined) return part``
    for (const userId of userIds) users.add(userId)
  }
  const [first = '', ...others] = users
  return others.length === 0
    ? part`and s.user_id = ${first}`
    : part`and s.user_id = any(${[...users]}::uuid[])`
}

/** A sleeve's present stay, by its own columns. */
const present = {
  joined: part`s.joined`,
  began: part`s.began`,
  units: part`s.units`,
  offered: part`s.offered`,
  paid: part`s.paid`,
  paidBase: part`s.paid_base`,
}

/**
 * A stay that ends because its sleeve joins again. One that never held a unit, because a lot paid
 * for an order of which it got no coins, is kept as a stay of no length.
 */
const endedByJoining: Ends = {
  ...present,
  who: part`(s.units > 0 or s.paid > 0)`,
  leftWith: part`case when s.units > 0 then l.number else s.joined end`,
  redeemed: part`0`,
  cashOut: part`0`,
  baseOut: part`0`,
}

/**
 * Leftover cash stays idle, unless it is more than a thousandth of the offer: then it waits for the
 * next lot.
 */
const restOf = (left: Fragment, of: Fragment) =>
  part`case when ${left} > ${of} / 1000 then 'joining' else 'in' end`

/** The members' stays begin with this change. */
const begins = part`joined = l.number, began = l.id`

export type Joined = Totals & { offered: Units; units: bigint; paid: Units }

type JoinedRow = Omit<Joined, 'units'> & { units: string }

/** Members whose cash joins: `issued` units for `due` each. */
const joining = <Amount extends string>(
  amounts: readonly Amount[],
  { who, issued, due }: Record<'who' | 'issued' | 'due', Fragment>,
): Move<Amount> => ({
  amounts,
  who,
  ends: endedByJoining,
  sums: part`sum(s.cash)::bigint as offered, sum(${issued})::text as units, sum(${due})::bigint as paid`,
  set: part`cash = s.cash - ${due}, units = s.units + ${issued}, ${begins}, offered = s.cash, paid = ${due}, paid_base = 0, status = ${restOf(part`s.cash - ${due}`, part`s.cash`)}`,
})

const withUnits = <Row extends { units: string }>(
  lots: Map<number, Row>,
): Map<number, Omit<Row, 'units'> & { units: bigint }> =>
  new Map([...lots].map(([pool, lot]) => [pool, { ...lot, units: BigInt(lot.units) }]))

/** Joins lots with an order: units and payment are proportional to each offer. */
export async function joinLots(
  tx: Queries,
  lots: readonly Lot<'offered' | 'units' | 'spent'>[],
): Promise<Map<number, Joined>> {
  const issued = part`div(l.units * s.cash, l.offered)`
  const due = part`div(l.spent * s.cash + l.offered - 1, l.offered)::bigint`
  return withUnits(
    await move<JoinedRow, 'offered' | 'units' | 'spent'>(
      tx,
      lots,
      joining(['offered', 'units', 'spent'], { who: part`s.status = 'joining'`, issued, due }),
    ),
  )
}

/** A pool's holdings, as the amounts of a lot. */
type PoolLot = At & { of: Pool }

const held = ({ of: { cash, base, units }, ...at }: PoolLot): Lot<'cash' | 'base' | 'units'> => ({
  ...at,
  cash,
  base,
  units,
})

const HELD = ['cash', 'base', 'units'] as const

/** Cash founds empty pools, or joins those that hold no coins, without an order. */
export async function joinWithCash(
  tx: Queries,
  lots: readonly PoolLot[],
): Promise<Map<number, Joined>> {
  const issued = part`case when l.units = 0 then s.cash::numeric * ${FOUNDING_SCALE} else div(s.cash * l.units, l.cash) end`
  const due = part`case when l.units = 0 then s.cash else div(l.cash * ${issued} + l.units - 1, l.units)::bigint end`
  const who = part`s.status = 'joining' and s.cash > 0 and ${issued} > 0`
  return withUnits(
    await move<JoinedRow, (typeof HELD)[number]>(
      tx,
      lots.map(held),
      joining(HELD, { who, issued, due }),
    ),
  )
}

export type Resumed = Totals & { units: bigint; paid: Units; paidBase: Units }

/**
 * Returns coins and cash of resumed bots in kind, as far as they fit the pool's mix. Coins that do
 * not fit are sold next.
 */
export async function joinInKind(
  tx: Queries,
  lots: readonly PoolLot[],
): Promise<Map<number, Resumed>> {
  const byBase = part`div(s.base * l.units, l.base)`
  const issued = part`case when l.cash > 0 then least(${byBase}, div(s.cash * l.units, l.cash)) else ${byBase} end`
  const due = (of: Fragment) => part`div(${of} * ${issued} + l.units - 1, l.units)::bigint`
  const [cash, base] = [due(part`l.cash`), due(part`l.base`)]
  return withUnits(
    await move<Omit<Resumed, 'units'> & { units: string }, (typeof HELD)[number]>(
      tx,
      lots.map(held),
      {
        amounts: HELD,
        who: part`s.status = 'resuming' and ${issued} > 0`,
        ends: endedByJoining,
        sums: part`sum(${issued})::text as units, sum(${cash})::bigint as paid, sum(${base})::bigint as paid_base`,
        set: part`cash = s.cash - ${cash}, base = s.base - ${base}, units = s.units + ${issued}, ${begins}, offered = 0, paid = ${cash}, paid_base = ${base},
              status = case when s.base > ${base} then 'resuming' else ${restOf(part`s.cash - ${cash}`, part`s.cash`)} end`,
      },
    ),
  )
}

/** Stays that end with this change: the units that each redeems, and what they brought. */
const redeemed = (outcome: Record<'redeemed' | 'cashOut' | 'baseOut', Fragment>): Ends => ({
  ...present,
  who: part`true`,
  leftWith: part`l.number`,
  ...outcome,
})

export type Left = Totals & { leaving: bigint; units: bigint; paid: Units }

/** `cash`: the pool without coins that the lot leaves. */
type Leaving = Lot<'leaving' | 'units' | 'proceeds'> & { cash?: Pool | undefined }

/**
 * Redeems lots, fully or in part: units and money are proportional to the units that each member
 * wants out. The cash of a pool without coins is rounded up, like `takenBy` in core, other money
 * down.
 */
export async function leaveLots(
  tx: Queries,
  leaving: readonly Leaving[],
): Promise<Map<number, Left>> {
  const lots = leaving.map(({ cash, ...lot }) =>
    cash
      ? { ...lot, proceeds: cash.cash, among: cash.units, up: cash.units - 1n }
      : { ...lot, among: lot.leaving, up: 0n },
  )
  // A lot that leaves as a whole redeems what it wanted: a division less for each use and row.
  const share = part`case when l.units = l.leaving then s.leaving else least(s.leaving, div(l.units * s.leaving + l.leaving - 1, l.leaving)) end`
  const out = part`div(l.proceeds * s.leaving + l.up, l.among)::bigint`
  const left = await move<
    Omit<Left, 'leaving' | 'units'> & { leaving: string; units: string },
    'leaving' | 'units' | 'proceeds' | 'among' | 'up'
  >(tx, lots, {
    amounts: ['leaving', 'units', 'proceeds', 'among', 'up'],
    who: part`s.status = 'leaving' and s.leaving > 0`,
    ends: redeemed({ redeemed: share, cashOut: out, baseOut: part`0` }),
    sums: part`sum(s.leaving)::text as leaving, sum(${share})::text as units, sum(${out})::bigint as paid`,
    set: part`units = s.units - ${share}, leaving = s.leaving - ${share},
              cash = s.cash + case when s.leaving = s.units then ${out} else 0 end, taken = s.taken + case when s.leaving < s.units then ${out} else 0 end,
              ${begins}, offered = 0, paid = 0, paid_base = 0,
              status = case when s.leaving > ${share} then 'leaving'
                            when s.leaving < s.units then ${restOf(part`s.cash`, part`s.paid`)}
                            when s.base > 0 then 'leaving' else 'out' end`,
  })
  return new Map(
    [...withUnits(left)].map(([pool, lot]) => [pool, { ...lot, leaving: BigInt(lot.leaving) }]),
  )
}

export type Sold = Totals & { held: Units; base: Units; paid: Units }

/** Sells bots' own coins, fully or in part, proportionally to what each held. */
export async function sellOwn(
  tx: Queries,
  lots: readonly Lot<'held' | 'quantity' | 'total'>[],
): Promise<Map<number, Sold>> {
  const sold = part`div(l.quantity * s.base + l.held - 1, l.held)::bigint`
  const out = part`div(l.total * s.base, l.held)::bigint`
  return move<Sold, 'held' | 'quantity' | 'total'>(tx, lots, {
    amounts: ['held', 'quantity', 'total'],
    who: part`s.status in ('leaving', 'resuming') and s.base > 0`,
    ends: {
      who: part`true`,
      joined: part`l.number`,
      began: part`l.id`,
      leftWith: part`l.number`,
      units: part`0`,
      offered: part`0`,
      redeemed: part`s.base`,
      paid: part`0`,
      paidBase: part`0`,
      cashOut: out,
      baseOut: part`-${sold}`,
    },
    sums: part`sum(s.base)::bigint as held, sum(${sold})::bigint as base, sum(${out})::bigint as paid`,
    set: part`base = s.base - ${sold}, cash = s.cash + ${out},
              status = case when s.base > ${sold} then s.status
                            when s.status = 'resuming' then ${restOf(part`s.cash + ${out}`, part`s.paid`)}
                            when s.units > 0 then 'leaving' else 'out' end`,
  })
}

/** The members' stays have ended, and none begins. */
const nothing = part`joined = 0, began = null, offered = 0, paid = 0, paid_base = 0`

export type Paused = Totals & { units: bigint; cash: Units; base: Units }

/** Gives pausing bots their part of the pool in kind, like `leaveTogether` in core. */
export async function pauseAll(
  tx: Queries,
  lots: readonly PoolLot[],
): Promise<Map<number, Paused>> {
  const cash = part`div(l.cash * s.units + case when l.base = 0 then l.units - 1 else 0 end, l.units)::bigint`
  const base = part`div(l.base * s.units, l.units)::bigint`
  return withUnits(
    await move<Omit<Paused, 'units'> & { units: string }, (typeof HELD)[number]>(
      tx,
      lots.map(held),
      {
        amounts: HELD,
        who: part`s.status = 'pausing'`,
        ends: redeemed({ redeemed: part`s.units`, cashOut: cash, baseOut: base }),
        sums: part`sum(s.units)::text as units, sum(${cash})::bigint as cash, sum(${base})::bigint as base`,
        set: part`cash = s.cash + ${cash}, base = s.base + ${base}, units = 0, ${nothing}, status = 'paused'`,
      },
    ),
  )
}

/**
 * Ends the stays in pools that hold nothing, without proceeds. Members who want nothing lose their
 * units too.
 */
export async function endWorthlessStays(
  tx: Queries,
  lots: readonly At[],
): Promise<Map<number, Totals>> {
  return move<object, never>(
    tx,
    lots.map((lot) => ({ ...lot, userIds: undefined })),
    {
      amounts: [],
      who: part`s.units > 0`,
      ends: redeemed({ redeemed: part`s.units`, cashOut: part`0`, baseOut: part`0` }),
      sums: part`sum(s.units)::text as units`,
      set: part`units = 0, leaving = 0, ${nothing},
              status = case when s.status = 'pausing' then 'paused' when s.status = 'leaving' and s.base = 0 then case when s.leaving = s.units then 'out' else 'in' end else s.status end`,
    },
  )
}
