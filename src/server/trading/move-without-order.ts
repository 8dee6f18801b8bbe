import { poolMoved } from '#core/ledger/movements.ts'
import { baseOf } from '#core/market/pair.ts'
import { planRedemption } from '#core/pool/lot.ts'
import { NO_LOTS } from '#core/pool/plan.ts'
import { claimOf, EMPTY_POOL, swept, without, type Assets, type Pool } from '#core/pool/pool.ts'
import { english } from '#core/english.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/open.ts'
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
  type Moving,
} from './lots.ts'
import { writeChanges, type PoolChange, type StoredPool } from './store.ts'

/** Users whose screens must refetch; undefined for everybody. */
export type Concerned = string[] | undefined

const NOBODY: Moving = { ...NO_LOTS, pausing: 0, resuming: 0, members: 0 }

type Moment = { marketTime: Date }
type Input = { at: At; pool: StoredPool; moving: Moving }
type Made = Input & {
  kind: PoolChange['kind']
  weight: bigint
  members: number
  userIds: string[] | undefined
  after: Pool
  own: Assets
  reason: string
}

/** Moves the lots of those pools that it concerns. */
type Step = (tx: Transaction, inputs: readonly Input[]) => Promise<Made[]>

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
    tx,
    [...lots].filter(([, { members }]) => members <= NAMED).map(([pool]) => pool),
  )
  const states = new Map(
    pools
      .filter((pool) => lots.has(pool.id) || isWorthless(pool))
      .map((pool) => [pool.id, { pool, moving: lots.get(pool.id) ?? NOBODY }]),
  )
  const all: Made[] = []
  for (const step of STEPS) {
    const inputs = [...states.values()].map((state) => ({
      ...state,
      at: {
        pool: state.pool.id,
        number: state.pool.changes + 1n,
        id: context.newId(),
        userIds: movers.get(state.pool.id),
      },
    }))
    for (const made of await step(tx, inputs)) {
      const { at, pool, moving, after } = made
      // Where units have ended, no member can pause or leave any more.
      states.set(pool.id, {
        pool: { ...pool, ...after, changes: at.number },
        moving: step === endWorthless ? { ...NOBODY, joining: moving.joining } : moving,
      })
      all.push(made)
    }
  }
  await book(context, tx, all, { marketTime })
  return all.some(({ userIds }) => userIds === undefined)
    ? undefined
    : all.flatMap(({ userIds = [] }) => userIds)
}

const STEPS: readonly Step[] = [endWorthless, pause, leaveWithCash, resume, joinCash]

/** Inputs with the lot that each moved; those without members are left out. */
function moved<Lot extends { members: number; userIds: string[] | undefined }>(
  inputs: readonly Input[],
  lots: ReadonlyMap<number, Lot>,
  made: (input: Input, lot: Lot) => Omit<Made, keyof Input | 'members' | 'userIds'>,
): Made[] {
  return inputs.flatMap((input) => {
    const lot = lots.get(input.pool.id)
    return lot === undefined
      ? []
      : [{ ...input, members: lot.members, userIds: lot.userIds, ...made(input, lot) }]
  })
}

const lotsOf = (inputs: readonly Input[]) => inputs.map(({ at, pool }) => ({ ...at, of: pool }))

/** Whether the pool has units but holds nothing, because its last coins sold for nothing. */
const isWorthless = ({ cash, base, units }: Pool): boolean =>
  units > 0n && cash === 0n && base === 0n

/** Nobody could join such a pool, so its stays end without proceeds, and it is founded again. */
async function endWorthless(tx: Transaction, inputs: readonly Input[]): Promise<Made[]> {
  const worthless = inputs.filter(({ pool }) => isWorthless(pool))
  if (worthless.length === 0) return []
  const lots = await endWorthlessStays(
    tx,
    worthless.map(({ at }) => at),
  )
  return worthless.map((input) => {
    const { members, userIds } = lots.get(input.pool.id) ?? { members: 0, userIds: [] }
    return {
      ...input,
      kind: 'leave',
      weight: input.pool.units,
      members,
      userIds,
      after: EMPTY_POOL,
      own: { cash: 0n, base: 0n },
      reason: english('What remained was worthless.'),
    }
  })
}

async function pause(tx: Transaction, inputs: readonly Input[]): Promise<Made[]> {
  const pausing = inputs.filter(({ moving }) => moving.pausing > 0)
  if (pausing.length === 0) return []
  return moved(pausing, await pauseAll(tx, lotsOf(pausing)), ({ pool }, { units, cash, base }) => ({
    kind: 'pause',
    weight: units,
    own: { cash, base },
    reason: english('Paused: the bot keeps its part of what bots of its level hold.'),
    after: swept(without(pool, { units, taken: { cash, base } })).pool,
  }))
}

async function leaveWithCash(tx: Transaction, inputs: readonly Input[]): Promise<Made[]> {
  const leaving = inputs.filter(
    ({
      pool,
      moving: {
        leaving: { units },
      },
    }) => units > 0n && planRedemption(pool, units) === 0n,
  )
  if (leaving.length === 0) return []
  const lots = leaving.map(
    ({
      at,
      pool,
      moving: {
        leaving: { units },
      },
    }) => ({
      ...at,
      leaving: units,
      units,
      proceeds: claimOf(pool, units).cash,
      cash: pool.base === 0n ? pool : undefined,
    }),
  )
  return moved(
    leaving,
    await leaveLots(tx, lots),
    (
      {
        pool,
        moving: {
          leaving: { units },
        },
      },
      { paid },
    ) => ({
      kind: 'leave',
      weight: units,
      own: { cash: paid, base: 0n },
      reason: english('Money left the pool.'),
      after: swept(without(pool, { units, taken: { cash: claimOf(pool, units).cash, base: 0n } }))
        .pool,
    }),
  )
}

async function resume(tx: Transaction, inputs: readonly Input[]): Promise<Made[]> {
  const resuming = inputs.filter(({ pool, moving }) => moving.resuming > 0 && pool.base > 0n)
  if (resuming.length === 0) return []
  return moved(
    resuming,
    await joinInKind(tx, lotsOf(resuming)),
    ({ pool }, { units, paid, paidBase }) => ({
      kind: 'join',
      weight: units,
      own: { cash: -paid, base: -paidBase },
      reason: english("Resumed: the bot's coins and cash returned to the pool."),
      after: {
        ...pool,
        cash: pool.cash + paid,
        base: pool.base + paidBase,
        units: pool.units + units,
      },
    }),
  )
}

async function joinCash(tx: Transaction, inputs: readonly Input[]): Promise<Made[]> {
  const joining = inputs.filter(
    ({ pool, moving }) => moving.joining.members > 0 && pool.base === 0n,
  )
  if (joining.length === 0) return []
  return moved(
    joining,
    await joinWithCash(tx, lotsOf(joining)),
    ({ pool }, { offered, units, paid }) => ({
      kind: 'join',
      weight: offered,
      own: { cash: -paid, base: 0n },
      reason: english('The bot begins in cash.'),
      after: {
        ...(pool.units === 0n ? EMPTY_POOL : pool),
        cash: pool.cash + paid,
        base: 0n,
        units: pool.units + units,
      },
    }),
  )
}

async function book(
  context: Context,
  tx: Transaction,
  all: readonly Made[],
  { marketTime }: Moment,
): Promise<void> {
  await writeChanges(
    tx,
    all.map(({ at, kind, weight, members, after: { cash, base, units, appliedBps }, reason }) => ({
      ...at,
      kind,
      weight,
      members,
      after: { cash, base, units, appliedBps },
      reason,
      marketTime,
    })),
  )
  await postAll(
    tx,
    all.flatMap(({ at, pool, kind, after, own }): Transfer[] => {
      const gained = { pool: pool.id, cash: after.cash - pool.cash, coins: after.base - pool.base }
      const movement = poolMoved(kind === 'join' ? 'pool-joined' : 'pool-left', {
        base: baseOf(pool.pair),
        pools: [gained],
        own: { cash: own.cash, coins: own.base },
      })
      // Very few units may be worth neither money nor coins.
      return movement.entries.length === 0
        ? []
        : [{ id: context.newId(), dedupKey: `change:${at.id}`, movement, eventTime: marketTime }]
    }),
  )
}
