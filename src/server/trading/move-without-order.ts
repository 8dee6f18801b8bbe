import { poolMoved } from '#core/ledger/movements.ts'
import { baseOf } from '#core/market/pair.ts'
import {
  afterJoin,
  afterPause,
  afterRedemption,
  afterWorthless,
  planRedemption,
  settleRedemption,
  type MovedLot,
  type LotResult,
} from '#core/pool/lot.ts'
import { NO_LOTS } from '#core/pool/plan.ts'
import { claimOf, type Pool } from '#core/pool/pool.ts'
import { sentence, type Sentence } from '#core/sentences.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import type { Queries } from '#server/db/statement.ts'
import { postAll, type Transfer } from '#server/ledger/post.ts'
import {
  endWorthlessStays,
  joinInKind,
  joinWithCash,
  leaveLots,
  NOBODY_MOVED,
  pauseAll,
  type Moved,
} from './lots.ts'
import { findMovers, NAMED, usersOf, type Moving } from './movers.ts'
import {
  changePool,
  gainOfPool,
  nextOf,
  poolAfter,
  writeChanges,
  type Made,
  type PoolChange,
  type StoredPool,
} from './store.ts'

type Input = { pool: StoredPool; moving: Moving }

type Step = {
  kind: PoolChange['kind']
  reason: Sentence
  concerns: (input: Input) => boolean
  move: (sql: Queries, inputs: readonly Input[]) => Promise<ReadonlyMap<number, Moved>>
  after: (pool: Pool, lot: MovedLot) => LotResult
}

type Tick = {
  pools: readonly StoredPool[]
  lots: ReadonlyMap<number, Moving>
  marketTime: Date
}

/**
 * Makes the moves that need neither a price nor an order, even while a market is closed or halted.
 * Returns the users whose screens must refetch; undefined for everybody.
 */
export async function moveWithoutOrder(
  context: Context,
  tx: BookWrite,
  tick: Tick,
): Promise<string[] | undefined> {
  const movers = await findMovers(tx.sql, poolsWithFew(tick))
  const states = new Map(tick.pools.map((pool) => [pool.id, pool]))
  const all: Made[] = []
  for (const step of STEPS) {
    const made = await take(step, context, tx.sql, { ...tick, pools: [...states.values()] })
    for (const one of made) states.set(one.before.id, poolAfter(one))
    all.push(...made)
  }
  await writeChanges(
    tx.sql,
    all.map(({ change }) => change),
  )
  await postAll(
    tx,
    all.flatMap((made) => transferOf(context, made)),
  )
  return usersOf(
    all.map(({ before }) => before.id),
    movers,
  )
}

/** Pools whose users are listed. In a worthless pool, members who do not move are concerned too. */
const poolsWithFew = ({ pools, lots }: Tick): number[] =>
  pools
    .filter((pool) => !isWorthless(pool))
    .map(({ id }) => id)
    .filter((id) => (lots.get(id)?.members ?? Number.POSITIVE_INFINITY) <= NAMED)

/** Takes a step in all pools that it concerns. */
async function take(
  { kind, reason, concerns, move, after }: Step,
  { newId }: Context,
  sql: Queries,
  { pools, lots, marketTime }: Tick,
): Promise<Made[]> {
  const inputs = pools
    .map((pool) => ({ pool, moving: lots.get(pool.id) ?? NOBODY }))
    .filter(concerns)
  if (inputs.length === 0) return []
  const moved = await move(sql, inputs)
  return inputs.flatMap(({ pool }) => {
    const lot = moved.get(pool.id)
    if (!lot) return []
    const { members } = lot
    return [changePool(pool, after(pool, lot), { id: newId(), kind, members, reason, marketTime })]
  })
}

const NOBODY: Moving = { ...NO_LOTS, pausing: 0, resuming: 0, members: 0 }

/** Whether the pool has units but holds nothing, because its last coins were sold for nothing. */
const isWorthless = ({ cash, base, units }: Pool): boolean =>
  units > 0n && cash === 0n && base === 0n

const lotsOf = (inputs: readonly Input[]) =>
  inputs.map(({ pool }) => ({ ...nextOf(pool), of: pool }))

const NO_SHARE = { quantity: 0n, total: 0n, fee: 0n }

const STEPS: readonly Step[] = [
  {
    // Nobody could join a worthless pool, so all leave it without proceeds and it is founded again.
    kind: 'leave',
    reason: sentence('worthless'),
    concerns: ({ pool }) => isWorthless(pool),
    move: async (sql, inputs) => {
      const pools = inputs.map(({ pool }) => nextOf(pool))
      const ended = await endWorthlessStays(sql, pools)
      return new Map(pools.map(({ pool }) => [pool, ended.get(pool) ?? NOBODY_MOVED]))
    },
    after: afterWorthless,
  },
  {
    kind: 'pause',
    reason: sentence('paused'),
    concerns: ({ pool, moving }) => moving.pausing > 0 && pool.units > 0n,
    move: (sql, inputs) => pauseAll(sql, lotsOf(inputs)),
    after: afterPause,
  },
  {
    kind: 'leave',
    reason: sentence('leftPool'),
    concerns: ({ pool, moving: { leaving } }) =>
      leaving.units > 0n && pool.units > 0n && planRedemption(pool, leaving.units) === 0n,
    move: (sql, inputs) =>
      leaveLots(
        sql,
        inputs.map(({ pool, moving: { leaving } }) => ({
          ...nextOf(pool),
          leaving: leaving.units,
          units: leaving.units,
          proceeds: claimOf(pool, leaving.units).cash,
          cash: pool.base === 0n ? pool : undefined,
        })),
      ),
    after: (pool, lot) =>
      afterRedemption(pool, settleRedemption({ pool, units: lot.units, sold: NO_SHARE }), lot),
  },
  {
    kind: 'join',
    reason: sentence('resumed'),
    concerns: ({ pool, moving }) => moving.resuming > 0 && pool.base > 0n,
    move: (sql, inputs) => joinInKind(sql, lotsOf(inputs)),
    after: afterJoin,
  },
  {
    kind: 'join',
    reason: sentence('beginsInCash'),
    concerns: ({ pool, moving }) => moving.joining.members > 0 && pool.base === 0n,
    move: (sql, inputs) => joinWithCash(sql, lotsOf(inputs)),
    after: afterJoin,
  },
]

function transferOf({ newId }: Context, made: Made): Transfer[] {
  const { before, change, own } = made
  const movement = poolMoved(change.kind === 'join' ? 'pool-joined' : 'pool-left', {
    base: baseOf(before.pair),
    pools: [{ pool: before.id, ...gainOfPool(made) }],
    own: { cash: own.cash, coins: own.base },
  })
  // Nothing to book: a few units may be worth less than the smallest amount of money and coins.
  if (movement.entries.length === 0) return []
  const dedupKey = `change:${change.id}`
  return [{ id: newId(), dedupKey, movement, eventTime: change.marketTime }]
}
