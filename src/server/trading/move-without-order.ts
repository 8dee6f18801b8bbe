import { poolMoved } from '#core/ledger/movements.ts'
import { baseOf } from '#core/market/pair.ts'
import { planRedemption } from '#core/pool/lot.ts'
import { NO_LOTS } from '#core/pool/plan.ts'
import { claimOf, EMPTY_POOL, swept, type Assets, type Pool } from '#core/pool/pool.ts'
import { english } from '#core/english.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/db/open.ts'
import { post } from '#server/ledger/post.ts'
import { endWorthlessStays, findMovers, joinInKind, joinWithCash, leaveLot, NAMED, pauseAll, type At, type Moving } from './lots.ts'
import { writeChanges, type PoolChange, type StoredPool } from './store.ts'

/** Users whose screens must refetch; undefined for everybody. */
export type Concerned = string[] | undefined

const NOBODY: Moving = { ...NO_LOTS, pausing: 0, resuming: 0, members: 0 }

type Moment = { marketTime: Date }
type Step = { kind: PoolChange['kind']; weight: bigint; members: number; userIds: string[] | undefined; after: Pool; own: Assets; reason: string }

/**
 * Performs the movements that need neither price nor order, so that they continue while a market is closed or halted, in this order: pausing
 * bots take their part in kind, bots that leave a pool without coins take cash, coins of resuming bots return as far as they fit, and cash
 * founds an empty pool or joins one without coins. Returns the users concerned.
 */
export async function moveWithoutOrder(context: Context, tx: Transaction, { pools, lots, marketTime }: Moment & { pools: readonly StoredPool[]; lots: ReadonlyMap<number, Moving> }): Promise<Concerned> {
  const concerned: string[] = []
  let isCrowd = false
  const movers = await findMovers(tx, [...lots].filter(([, { members }]) => members <= NAMED).map(([pool]) => pool))
  for (const stored of pools) {
    let moving = lots.get(stored.id) ?? NOBODY
    if (moving === NOBODY && !isWorthless(stored)) continue
    let pool = stored
    for (const step of STEPS) {
      const at = { pool: pool.id, number: pool.changes + 1n, id: context.newId(), userIds: movers.get(pool.id) }
      const made = await step(tx, { at, pool, moving })
      if (!made) continue
      await book(context, tx, { at, pool, made, marketTime })
      pool = { ...pool, ...made.after, changes: at.number }
      // Their units have ended, so no member can pause or leave any more.
      if (step === endWorthless) moving = { ...NOBODY, joining: moving.joining }
      isCrowd ||= made.userIds === undefined
      concerned.push(...(made.userIds ?? []))
    }
  }
  return isCrowd ? undefined : concerned
}

type StepInput = { at: At; pool: StoredPool; moving: Moving }

const STEPS: ((tx: Transaction, input: StepInput) => Promise<Step | undefined>)[] = [endWorthless, pause, leaveWithCash, resume, joinCash]

/** Whether the pool has units but holds nothing, because its last coins sold for nothing. */
const isWorthless = ({ cash, base, units }: Pool): boolean => units > 0n && cash === 0n && base === 0n

/** Nobody could join such a pool, so its stays end without proceeds, and it is founded again. */
async function endWorthless(tx: Transaction, { at, pool }: StepInput): Promise<Step | undefined> {
  if (!isWorthless(pool)) return undefined
  // Members who want nothing lose their units too.
  const { members, userIds } = await endWorthlessStays(tx, { ...at, userIds: undefined })
  return { kind: 'leave', weight: pool.units, members, userIds, after: EMPTY_POOL, own: { cash: 0n, base: 0n }, reason: english('What remained was worthless.') }
}

async function pause(tx: Transaction, { at, pool, moving }: StepInput): Promise<Step | undefined> {
  if (moving.pausing === 0) return undefined
  const { units, cash, base, members, userIds } = await pauseAll(tx, at, pool)
  const after = swept({ ...pool, cash: pool.cash - cash, base: pool.base - base, units: pool.units - units }).pool
  return { kind: 'pause', weight: units, members, userIds, after, own: { cash, base }, reason: english('Paused: the bot keeps its part of what bots of its level hold.') }
}

async function leaveWithCash(tx: Transaction, { at, pool, moving: { leaving } }: StepInput): Promise<Step | undefined> {
  if (leaving.units === 0n || planRedemption(pool, leaving.units) > 0n) return undefined
  const proceeds = claimOf(pool, leaving.units).cash
  const { paid, members, userIds } = await leaveLot(tx, at, { leaving: leaving.units, units: leaving.units, proceeds })
  const after = swept({ ...pool, cash: pool.cash - proceeds, units: pool.units - leaving.units }).pool
  return { kind: 'leave', weight: leaving.units, members, userIds, after, own: { cash: paid, base: 0n }, reason: english('Money left the pool.') }
}

async function resume(tx: Transaction, { at, pool, moving }: StepInput): Promise<Step | undefined> {
  if (moving.resuming === 0 || pool.base === 0n) return undefined
  const { units, paid, paidBase, members, userIds } = await joinInKind(tx, at, pool)
  if (units === 0n) return undefined
  const after = { ...pool, cash: pool.cash + paid, base: pool.base + paidBase, units: pool.units + units }
  return { kind: 'join', weight: units, members, userIds, after, own: { cash: -paid, base: -paidBase }, reason: english("Resumed: the bot's coins and cash returned to the pool.") }
}

async function joinCash(tx: Transaction, { at, pool, moving }: StepInput): Promise<Step | undefined> {
  if (moving.joining.members === 0 || pool.base > 0n) return undefined
  const { offered, units, paid, members, userIds } = await joinWithCash(tx, at, pool)
  if (units === 0n) return undefined
  const after = { ...(pool.units === 0n ? EMPTY_POOL : pool), cash: pool.cash + paid, base: 0n, units: pool.units + units }
  return { kind: 'join', weight: offered, members, userIds, after, own: { cash: -paid, base: 0n }, reason: english('The bot begins in cash.') }
}

async function book(context: Context, tx: Transaction, { at, pool, made, marketTime }: Moment & { at: At; pool: StoredPool; made: Step }): Promise<void> {
  const { kind, weight, members, after: { cash, base, units, appliedBps }, own, reason } = made
  const after = { cash, base, units, appliedBps }
  await writeChanges(tx, [{ ...at, kind, weight, members, after, reason, marketTime }])
  const gained = { pool: pool.id, cash: cash - pool.cash, coins: base - pool.base }
  const movement = poolMoved(kind === 'join' ? 'pool-joined' : 'pool-left', { base: baseOf(pool.pair), pools: [gained], own: { cash: own.cash, coins: own.base } })
  // Very few units may be worth neither money nor coins.
  if (movement.entries.length === 0) return
  await post(tx, { id: context.newId(), dedupKey: `change:${at.id}`, movement, eventTime: marketTime })
}
