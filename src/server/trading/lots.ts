import { assert } from '#core/assert.ts'
import type { MovedLot } from '#core/pool/lot.ts'
import type { Units } from '#core/money/amount.ts'
import { FOUNDING_SCALE, type Pool } from '#core/pool/pool.ts'
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

/**
 * The sleeves `s` that lots `given` move, and the share of each sleeve, in SQL. A join instead of a
 * subquery, because joining its rows with the sleeves to update would cost a look-up for each.
 */
type Members<Part extends string> = { from: Fragment; who: Fragment } & Record<Part, Fragment>

/** Joins with an order: units and payment are proportional to each offer. */
export function joinLots(
  tx: Queries,
  lots: readonly Lot<'offered' | 'units' | 'spent'>[],
): Promise<Map<number, Moved>> {
  return join(tx, {
    from: listed(lots, ['offered', 'units', 'spent']),
    who: part`s.status = 'joining'`,
    offer: part`s.cash`,
    issued: part`div(given.units * s.cash, given.offered)`,
    due: part`div(given.spent * s.cash + given.offered - 1, given.offered)::bigint`,
    dueBase: part`0`,
  })
}

/** Founds empty pools with cash, or joins those that hold no coins. */
export function joinWithCash(tx: Queries, lots: readonly PoolLot[]): Promise<Map<number, Moved>> {
  const issued = part`
    case when given.units = 0 then s.cash::numeric * ${FOUNDING_SCALE}
         else div(s.cash * given.units, given.cash) end`
  return join(tx, {
    from: held(lots),
    who: part`s.status = 'joining' and s.cash > 0 and ${issued} > 0`,
    offer: part`s.cash`,
    issued,
    due: part`
      case when given.units = 0 then s.cash
           else div(given.cash * ${issued} + given.units - 1, given.units)::bigint end`,
    dueBase: part`0`,
  })
}

/**
 * Returns coins and cash of resumed bots as far as they fit the pool's mix. Other coins are sold
 * next.
 */
export function joinInKind(tx: Queries, lots: readonly PoolLot[]): Promise<Map<number, Moved>> {
  const issued = part`
    least(div(s.base * given.units, given.base),
          case when given.cash > 0 then div(s.cash * given.units, given.cash) end)`
  return join(tx, {
    from: held(lots),
    who: part`s.status = 'resuming' and ${issued} > 0`,
    offer: part`0`,
    issued,
    due: part`div(given.cash * ${issued} + given.units - 1, given.units)::bigint`,
    dueBase: part`div(given.base * ${issued} + given.units - 1, given.units)::bigint`,
  })
}

/**
 * Begins new stays of the members. The stay that a member had before ends here and is stored. A
 * stay without units (its lot paid but got no coins) is stored with zero length.
 */
async function join(
  tx: Queries,
  { from, who, offer, issued, due, dueBase }: Members<'offer' | 'issued' | 'due' | 'dueBase'>,
): Promise<Map<number, Moved>> {
  const members = part`s.pool = given.pool and ${who}`
  const sums = await tx<Sums[]>`
    select s.pool, count(*)::integer as members, sum(${offer})::text as weight,
           sum(${issued})::text as units, (-sum(${due}))::bigint as cash,
           (-sum(${dueBase}))::bigint as base
      from sleeves s, ${from} where ${members} group by s.pool`
  await tx`
    insert into sleeve_stays (user_id, bot_id, pool, joined, left_with, units,
           offered, redeemed, paid, paid_base, cash_out, base_out)
    select s.user_id, s.bot_id, s.pool, s.joined,
           case when s.units > 0 then given.number else s.joined end, s.units, s.offered, 0,
           s.paid, s.paid_base, 0, 0
      from sleeves s, ${from} where ${members} and (s.units > 0 or s.paid > 0)`
  const { count } = await tx`
    update sleeves s
       set cash = s.cash - ${due}, base = s.base - ${dueBase}, units = s.units + ${issued},
           joined = given.number, offered = ${offer}, paid = ${due}, paid_base = ${dueBase},
           status = ${statusAfter('joined', {
             cash: part`s.cash - ${due}`,
             offer: part`s.cash`,
             base: part`s.base - ${dueBase}`,
           })}
      from ${from} where ${members}`
  return movedOf(sums, count)
}

/** `cash`: the pool, if it holds no coins. */
type Leaving = Lot<'leaving' | 'units' | 'proceeds'> & { cash?: Pool | undefined }

/**
 * Redeems lots, fully or in part, in proportion to the units that each member wants out. Cash of a
 * pool without coins is rounded up (`takenBy` in core), other money down.
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
  // Without a division for a lot that leaves as a whole, which is faster.
  const redeemed = part`
    case when given.units = given.leaving then s.leaving
         else least(s.leaving,
              div(given.units * s.leaving + given.leaving - 1, given.leaving)) end`
  const cashOut = part`div(given.proceeds * s.leaving + given.up, given.among)::bigint`
  return endStays(
    tx,
    {
      from: listed(lots, ['leaving', 'units', 'proceeds', 'among', 'up']),
      who: part`s.status = 'leaving' and s.leaving > 0`,
      weight: part`s.leaving`,
      redeemed,
      cashOut,
      baseOut: part`0`,
    },
    part`
      units = s.units - ${redeemed}, leaving = s.leaving - ${redeemed},
           cash = s.cash + case when s.leaving = s.units then ${cashOut} else 0 end,
           taken = s.taken + case when s.leaving < s.units then ${cashOut} else 0 end,
           joined = given.number, offered = 0, paid = 0, paid_base = 0,
           status = ${statusAfter('left', {
             cash: part`s.cash`,
             offer: part`s.paid`,
             base: part`s.base`,
             units: part`s.units - ${redeemed}`,
             leaving: part`s.leaving - ${redeemed}`,
           })}`,
  )
}

/** Sells bots' own coins, fully or in part, in proportion to what each held. */
export async function sellOwn(
  tx: Queries,
  lots: readonly Lot<'held' | 'quantity' | 'total'>[],
): Promise<Map<number, Moved>> {
  const cashOut = part`div(given.total * s.base, given.held)::bigint`
  const baseOut = part`-div(given.quantity * s.base + given.held - 1, given.held)::bigint`
  return endStays(
    tx,
    {
      from: listed(lots, ['held', 'quantity', 'total']),
      who: part`s.status in ('leaving', 'resuming') and s.base > 0`,
      weight: part`s.base`,
      redeemed: part`s.base`,
      cashOut,
      baseOut,
    },
    part`
      cash = s.cash + ${cashOut}, base = s.base + ${baseOut},
           status = ${statusAfter('own-sold', {
             cash: part`s.cash + ${cashOut}`,
             offer: part`s.paid`,
             base: part`s.base + ${baseOut}`,
             units: part`s.units`,
           })}`,
    // A sale is a stay of zero length.
    part`given.number, given.number, 0, 0, s.base, 0, 0`,
  )
}

/** Pays pausing bots their part in kind, like `leaveTogether` in core. */
export function pauseAll(tx: Queries, lots: readonly PoolLot[]): Promise<Map<number, Moved>> {
  return empty(tx, 'paused', {
    from: held(lots),
    who: part`s.status = 'pausing'`,
    cashOut: part`
      div(given.cash * s.units + case when given.base = 0 then given.units - 1 else 0 end,
          given.units)::bigint`,
    baseOut: part`div(given.base * s.units, given.units)::bigint`,
  })
}

/** Ends all stays in pools that hold nothing, without proceeds. */
export function endWorthlessStays(tx: Queries, lots: readonly At[]): Promise<Map<number, Moved>> {
  return empty(tx, 'worthless', {
    from: listed(lots, []),
    who: part`s.units > 0`,
    cashOut: part`0`,
    baseOut: part`0`,
  })
}

/** Ends the stays of the members with all of their units. */
async function empty(
  tx: Queries,
  event: 'paused' | 'worthless',
  members: Members<'cashOut' | 'baseOut'>,
): Promise<Map<number, Moved>> {
  return endStays(
    tx,
    { ...members, weight: part`s.units`, redeemed: part`s.units` },
    part`
      cash = s.cash + ${members.cashOut}, base = s.base + ${members.baseOut}, units = 0,
           leaving = 0, joined = 0, offered = 0, paid = 0, paid_base = 0,
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

/** Stores the ended stays of the members and changes their sleeves. */
async function endStays(
  tx: Queries,
  {
    from,
    who,
    weight,
    redeemed,
    cashOut,
    baseOut,
  }: Members<'weight' | 'redeemed' | 'cashOut' | 'baseOut'>,
  changes: Fragment,
  stay: Fragment = part`
    s.joined, given.number, s.units, s.offered, ${redeemed}, s.paid, s.paid_base`,
): Promise<Map<number, Moved>> {
  const members = part`s.pool = given.pool and ${who}`
  const sums = await tx<Sums[]>`
    select s.pool, count(*)::integer as members, sum(${weight})::text as weight,
           sum(${redeemed})::text as units, sum(${cashOut})::bigint as cash,
           sum(${baseOut})::bigint as base
      from sleeves s, ${from} where ${members} group by s.pool`
  await tx`
    insert into sleeve_stays (user_id, bot_id, pool, joined, left_with, units,
           offered, redeemed, paid, paid_base, cash_out, base_out)
    select s.user_id, s.bot_id, s.pool, ${stay}, ${cashOut}, ${baseOut}
      from sleeves s, ${from} where ${members}`
  const { count } = await tx`
    update sleeves s set ${changes} from ${from} where ${members}`
  return movedOf(sums, count)
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
