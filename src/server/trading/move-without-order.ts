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
  type Outcome,
} from '#core/pool/lot.ts'
import { NO_LOTS } from '#core/pool/plan.ts'
import { claimOf, type Pool } from '#core/pool/pool.ts'
import { sentence, type Sentence } from '#core/sentences.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/book.ts'
import { postAll, type Transfer } from '#server/ledger/post.ts'
import {
  endWorthlessStays,
  findMovers,
  joinInKind,
  joinWithCash,
  leaveLots,
  NAMED,
  pauseAll,
  type At,
  type Moved,
  type Moving,
} from './lots.ts'
import { writeChanges, type PoolChange, type StoredPool } from './store.ts'

/** Users whose screens must refetch; undefined for everybody. */
export type Concerned = string[] | undefined

const NOBODY: Moving = { ...NO_LOTS, pausing: 0, resuming: 0, members: 0 }

type Moment = { marketTime: Date }
type Input = { at: At; pool: StoredPool; moving: Moving }
type Made = {
  at: At
  before: StoredPool
  kind: PoolChange['kind']
  reason: Sentence
  outcome: Outcome
} & Pick<Moved, 'members' | 'userIds'>

/** A movement: the pools that it concerns, its statements, and what it makes of each pool. */
type Step = {
  kind: PoolChange['kind']
  reason: Sentence
  concerns: (input: Input) => boolean
  move: (tx: Transaction, inputs: readonly Input[]) => Promise<ReadonlyMap<number, Moved>>
  after: (pool: Pool, lot: MovedLot) => Outcome
}

/**
 * Performs the movements that need neither price nor order, so that they continue while a market is
 * closed or halted, in this order: pausing bots take their part in kind, bots that leave a pool
 * without coins take cash, coins of resuming bots return as far as they fit, and cash founds an
 * empty pool or joins one without coins. Returns the users concerned.
 */
export async function moveWithoutOrder(
  context: Context,
  tx: Transaction,
  {
    pools,
    lots,
    marketTime,
  }: Moment & { pools: readonly StoredPool[]; lots: ReadonlyMap<number, Moving> },
): Promise<Concerned> {
  const movers = await findMovers(
    tx.sql,
    [...lots].filter(([, { members }]) => members <= NAMED).map(([pool]) => pool),
  )
  const states = new Map(
    pools
      .filter((pool) => lots.has(pool.id) || isWorthless(pool))
      .map((pool) => [pool.id, { pool, moving: lots.get(pool.id) ?? NOBODY }]),
  )
  const all: Made[] = []
  for (const step of STEPS) {
    const inputs = [...states.values()]
      .map((state): Input => ({
        ...state,
        at: {
          pool: state.pool.id,
          number: state.pool.changes + 1n,
          id: context.newId(),
          userIds: movers.get(state.pool.id),
        },
      }))
      .filter(step.concerns)
    for (const made of await run(tx, step, inputs)) {
      const { at, before, outcome } = made
      const pool = { ...before, ...outcome.pool, changes: at.number }
      states.set(pool.id, { pool, moving: movingIn(pool, states.get(pool.id)?.moving) })
      all.push(made)
    }
  }
  await book(context, tx, all, { marketTime })
  return all.some(({ userIds }) => userIds === undefined)
    ? undefined
    : all.flatMap(({ userIds = [] }) => userIds)
}

/** Where units have ended, no member can pause or leave any more. */
const movingIn = ({ units }: Pool, moving = NOBODY): Moving =>
  units > 0n ? moving : { ...NOBODY, joining: moving.joining }

/** Pools without members that move are left out. */
async function run(
  tx: Transaction,
  { kind, reason, move, after }: Step,
  inputs: readonly Input[],
): Promise<Made[]> {
  if (inputs.length === 0) return []
  const lots = await move(tx, inputs)
  return inputs.flatMap(({ at, pool }) => {
    const lot = lots.get(pool.id)
    if (!lot) return []
    const { members, userIds } = lot
    return [{ at, before: pool, kind, reason, outcome: after(pool, lot), members, userIds }]
  })
}

/** Whether the pool has units but holds nothing, because its last coins sold for nothing. */
const isWorthless = ({ cash, base, units }: Pool): boolean =>
  units > 0n && cash === 0n && base === 0n

const lotsOf = (inputs: readonly Input[]) => inputs.map(({ at, pool }) => ({ ...at, of: pool }))

const NO_MEMBERS: Moved = {
  members: 0,
  userIds: [],
  weight: 0n,
  units: 0n,
  own: { cash: 0n, base: 0n },
}
const NO_SHARE = { quantity: 0n, total: 0n, fee: 0n }

const STEPS: readonly Step[] = [
  {
    // Nobody could join such a pool, so its stays end without proceeds, and it is founded again.
    kind: 'leave',
    reason: sentence('worthless'),
    concerns: ({ pool }) => isWorthless(pool),
    move: async ({ sql }, inputs) => {
      const ended = await endWorthlessStays(
        sql,
        inputs.map(({ at }) => at),
      )
      return new Map(inputs.map(({ at }) => [at.pool, ended.get(at.pool) ?? NO_MEMBERS]))
    },
    after: afterWorthless,
  },
  {
    kind: 'pause',
    reason: sentence('paused'),
    concerns: ({ moving }) => moving.pausing > 0,
    move: ({ sql }, inputs) => pauseAll(sql, lotsOf(inputs)),
    after: afterPause,
  },
  {
    kind: 'leave',
    reason: sentence('leftPool'),
    concerns: ({ pool, moving: { leaving } }) =>
      leaving.units > 0n && planRedemption(pool, leaving.units) === 0n,
    move: ({ sql }, inputs) =>
      leaveLots(
        sql,
        inputs.map(({ at, pool, moving: { leaving } }) => ({
          ...at,
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
    move: ({ sql }, inputs) => joinInKind(sql, lotsOf(inputs)),
    after: afterJoin,
  },
  {
    kind: 'join',
    reason: sentence('beginsInCash'),
    concerns: ({ pool, moving }) => moving.joining.members > 0 && pool.base === 0n,
    move: ({ sql }, inputs) => joinWithCash(sql, lotsOf(inputs)),
    after: afterJoin,
  },
]

async function book(
  context: Context,
  tx: Transaction,
  all: readonly Made[],
  { marketTime }: Moment,
): Promise<void> {
  await writeChanges(
    tx.sql,
    all.map(({ at, kind, outcome, members, reason }) => {
      const { cash, base, units, appliedBps } = outcome.pool
      const after = { cash, base, units, appliedBps }
      return { ...at, kind, weight: outcome.weight, members, after, reason, marketTime }
    }),
  )
  await postAll(
    tx,
    all.flatMap(({ at, before, kind, outcome: { pool, own } }): Transfer[] => {
      const cash = pool.cash - before.cash
      const movement = poolMoved(kind === 'join' ? 'pool-joined' : 'pool-left', {
        base: baseOf(before.pair),
        pools: [{ pool: before.id, cash, coins: pool.base - before.base }],
        own: { cash: own.cash, coins: own.base },
      })
      // Very few units may be worth neither money nor coins.
      return movement.entries.length === 0
        ? []
        : [{ id: context.newId(), dedupKey: `change:${at.id}`, movement, eventTime: marketTime }]
    }),
  )
}
