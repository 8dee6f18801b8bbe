import { assert, required } from '#core/assert.ts'
import {
  blockSettled,
  botReturned,
  interestPaid,
  poolMoved,
  type HoldingChange,
} from '#core/ledger/movements.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { planRedemption } from '#core/pool/lot.ts'
import {
  planJoins,
  planPools,
  type Lots,
  type Party,
  type PoolInput,
  NO_LOTS,
} from '#core/pool/plan.ts'
import { trade } from '#core/pool/pool.ts'
import { allowedDriftBps } from '#core/strategy/strategy.ts'
import { choiceOf, feeBpsOf } from '#core/strategy/strategy-key.ts'
import { allocate } from '#core/trading/allocation.ts'
import { appliedAfterClose } from '#core/trading/drift.ts'
import { interestOf } from '#core/trading/cash-yield.ts'
import { closingFee } from '#core/trading/performance-fee.ts'
import { investedPart, returnedOf } from '#core/bots/take-out.ts'
import { cashMoved, type Fill } from '#core/trading/fill.ts'
import type { Share } from '#core/trading/position.ts'
import {
  book,
  isSynced,
  poolOf,
  sum,
  type Bot,
  type Model,
  type ModelChange,
  type ModelPool,
  type PlannedBlock,
} from './model.ts'
import {
  adopt,
  endWorthless,
  finishChange,
  isFinishable,
  joinInKind,
  joinLot,
  joinWithCash,
  leaveLot,
  leaveWithCash,
  pauseAll,
  sellOwn,
  type Moved,
} from './sleeves.ts'

/** The steps of an engine, one for each database transaction. */

const NO_SHARE: Share = { quantity: 0n, total: 0n, fee: 0n }

/** Bots with changes by their owners that the engine has not adopted yet. */
export function unsynced({ bots }: Model): Bot[] {
  return [...bots.values()].filter((bot) => bot.status !== 'closed' && !isSynced(bot))
}

/** Bots whose change of settings the engine may finish. */
export function finishable({ bots }: Model): Bot[] {
  return [...bots.values()].filter(isFinishable)
}

/**
 * Finishes changes, adopts all bots and does everything that needs no order. Returns the changes of
 * pools.
 */
export function moveSleeves(model: Model): ModelChange[] {
  for (const bot of finishable(model)) finishChange(bot)
  for (const bot of unsynced(model)) adopt(bot)
  return moveWithoutOrder(model)
}

type Step = {
  kind: ModelChange['kind']
  run: (pool: ModelPool, isJoined: boolean) => Moved | undefined
}

const STEPS: readonly Step[] = [
  {
    kind: 'leave',
    run: (pool) =>
      pool.holds.units > 0n && pool.holds.cash === 0n && pool.holds.base === 0n
        ? endWorthless(pool)
        : undefined,
  },
  { kind: 'pause', run: pauseAll },
  { kind: 'leave', run: leaveInCash },
  { kind: 'join', run: (pool) => (pool.holds.base === 0n ? undefined : joinInKind(pool)) },
  {
    kind: 'join',
    run: (pool, isJoined) => (isJoined && pool.holds.base === 0n ? joinWithCash(pool) : undefined),
  },
]

function moveWithoutOrder(model: Model): ModelChange[] {
  const changes: ModelChange[] = []
  // A sleeve that starts joining during these steps waits for the next run, unless others are
  // joining already.
  const joined = new Set(
    [...model.pools.values()].filter(({ sleeves }) =>
      [...sleeves].some(({ status }) => status === 'joining'),
    ),
  )
  for (const { kind, run } of STEPS) {
    for (const pool of model.pools.values()) {
      const before = pool.holds
      const moved = run(pool, joined.has(pool))
      if (!moved) continue
      changes.push(changed(model, pool, { kind, moved }))
      const gained: HoldingChange = {
        cash: moved.after.cash - before.cash,
        coins: moved.after.base - before.base,
      }
      book(
        model,
        poolMoved(kind === 'join' ? 'pool-joined' : 'pool-left', {
          base: baseOf(pool.pair),
          pools: [{ pool: pool.id, ...gained }],
          own: moved.own,
        }),
      )
    }
  }
  return changes
}

function leaveInCash(pool: ModelPool): Moved | undefined {
  const units = sum([...pool.sleeves].map(({ leaving }) => leaving))
  return units === 0n || planRedemption(pool.holds, units) > 0n ? undefined : leaveWithCash(pool)
}

type Changing = { kind: ModelChange['kind']; moved: Moved; blockId?: string; share?: Share }

/** Applies and counts a change of a pool. */
function changed(
  { figures }: Model,
  pool: ModelPool,
  { kind, moved, blockId, share = NO_SHARE }: Changing,
): ModelChange {
  const { after, weight, members } = moved
  pool.holds = after
  pool.changes += 1n
  figures.changes[kind] = (figures.changes[kind] ?? 0) + 1
  if (members > 0) figures.lots += 1
  figures.members += members
  return {
    pool: pool.id,
    number: pool.changes,
    kind,
    blockId: blockId ?? null,
    ...share,
    weight,
    members,
    after,
  }
}

export type Phase = 'trade' | 'late' | 'join'
export type PairPlan = {
  pair: Pair
  sell: Party[]
  buy: Party[]
  served: { id: number; exposureBps: number }[]
  later: number[]
}

/** The trades of the pools of a pair now. */
export function planPair(
  model: Model,
  {
    pair,
    phase,
    price,
    exposureBps,
  }: { pair: Pair; phase: Phase; price: Units; exposureBps: (pool: ModelPool) => number },
): PairPlan {
  const pools = [...model.pools.values()].filter(
    (pool) =>
      pool.pair === pair &&
      (phase !== 'late' || (pool.isLater && lotsOf(pool).leaving.units === 0n)),
  )
  const inputs = pools.map((pool): PoolInput => ({
    id: pool.id,
    pool: pool.holds,
    lots: phase === 'late' ? NO_LOTS : lotsOf(pool),
    exposureBps: exposureBps(pool),
  }))
  const market = { price, costs: model.costs }
  if (phase === 'join')
    return { pair, sell: [], buy: planJoins(inputs, market), served: [], later: [] }
  return { pair, ...planPools(inputs, market) }
}

const MOVING: ReadonlySet<string> = new Set(['joining', 'leaving', 'pausing', 'resuming'])

function lotsOf({ sleeves }: ModelPool): Lots {
  const moving = [...sleeves].filter(({ status }) => MOVING.has(status))
  const joining = moving.filter(({ status }) => status === 'joining')
  const [leaving, own] = [
    moving.filter((sleeve) => sleeve.leaving > 0n),
    moving.filter(({ base }) => base > 0n),
  ]
  return {
    joining: { cash: sum(joining.map(({ cash }) => cash)), members: joining.length },
    leaving: { units: sum(leaving.map((sleeve) => sleeve.leaving)), members: leaving.length },
    own: { base: sum(own.map(({ base }) => base)), members: own.length },
  }
}

/**
 * The pools that the closes of an hour have moved out of their bands, each with its actual
 * exposure.
 */
export function driftsOf(
  model: Model,
  {
    exposureBps,
    close,
  }: { exposureBps: (pool: ModelPool) => number; close: (pair: Pair) => Units | undefined },
): { id: number; appliedBps: number }[] {
  return [...model.pools.values()].flatMap((pool) => {
    const [driftBps, price] = [allowedDriftBps(pool.strategy), close(pool.pair)]
    if (driftBps === undefined || price === undefined) return []
    const appliedBps = appliedAfterClose(pool.holds, {
      exposureBps: exposureBps(pool),
      driftBps,
      close: price,
    })
    return appliedBps === pool.holds.appliedBps ? [] : [{ id: pool.id, appliedBps }]
  })
}

/** Pays a day of interest on the cash of every pool. */
export function payInterest(model: Model, rateBps: number): ModelChange[] {
  const earning = [...model.pools.values()].flatMap((pool) => {
    const interest = interestOf(pool.holds.cash, rateBps)
    return interest > 0n ? [{ pool, interest }] : []
  })
  book(
    model,
    interestPaid(earning.map(({ pool, interest }) => ({ pool: pool.id, amount: interest }))),
  )
  return earning.map(({ pool, interest }) => {
    const after = { ...pool.holds, cash: pool.holds.cash + interest }
    return changed(model, pool, {
      kind: 'yield',
      moved: { after, own: { cash: 0n, coins: 0n }, weight: pool.holds.units, members: 0 },
      share: { ...NO_SHARE, total: interest },
    })
  })
}

/** Records planned blocks. For pools that need no order, the target exposure counts as applied. */
export function plan(
  model: Model,
  {
    plans,
    blocks,
    phase,
  }: { plans: readonly PairPlan[]; blocks: readonly PlannedBlock[]; phase: Phase },
): void {
  for (const { pair, served, later } of plans) {
    for (const { id, exposureBps } of served)
      poolOf(model, id).holds = { ...poolOf(model, id).holds, appliedBps: exposureBps }
    for (const pool of model.pools.values())
      if (pool.pair === pair) pool.isLater = phase === 'trade' && later.includes(pool.id)
  }
  for (const block of blocks) model.blocks.set(block.id, block)
  model.figures.blocks += blocks.length
}

/** Settles a filled block: its parties get their shares. */
export function settle(
  model: Model,
  { id, fill, isFullyFilled }: { id: string; fill: Fill; isFullyFilled: boolean },
): ModelChange[] {
  const block = required(model.blocks.get(id), 'a planned block')
  model.blocks.delete(id)
  if (fill.quantity === 0n) return []
  const before = new Map([...model.pools.values()].map((pool) => [pool.id, pool.holds]))
  const { shares } = allocate({
    fill,
    orderQuantities: block.parties.map(({ orderQuantity }) => orderQuantity),
  })
  const own = { cash: 0n, coins: 0n }
  const changes = block.parties.map((party, at) => {
    const [pool, share] = [
      poolOf(model, party.pool),
      required(shares[at], 'a share for each party'),
    ]
    const moved = shared(pool, { party, share, side: fill.side, isFullyFilled })
    own.cash += moved.own.cash
    own.coins += moved.own.coins
    return changed(model, pool, {
      kind: party.as === 'strategy' ? 'trade' : party.as,
      moved,
      blockId: id,
      share,
    })
  })
  const pools = [...new Set(block.parties.map(({ pool }) => pool))].map((pool) => {
    const [was, is] = [required(before.get(pool), 'a pool'), poolOf(model, pool).holds]
    return { pool, cash: is.cash - was.cash, coins: is.base - was.base }
  })
  const sign = fill.side === 'buy' ? 1n : -1n
  const paid = { cash: sign * cashMoved(fill), coins: -sign * fill.quantity }
  book(
    model,
    blockSettled({ base: baseOf(block.pair), pools, own, paid, by: block.filledBy }),
    block.filledBy,
  )
  return changes
}

type Shared = { party: Party; share: Share; side: Fill['side']; isFullyFilled: boolean }

function shared(pool: ModelPool, { party, share, side, isFullyFilled }: Shared): Moved {
  if (party.as === 'join') return joinLot(pool, share)
  if (party.as === 'leave') return leaveLot(pool, share)
  if (party.as === 'own') return sellOwn(pool, share)
  const after = trade(pool.holds, {
    side,
    share,
    exposureBps: isFullyFilled ? party.exposureBps : undefined,
  })
  return { after, weight: pool.holds.units, members: 0, own: { cash: 0n, coins: 0n } }
}

/** Bots whose money the engine may return now. */
export function returnable({ bots }: Model): Bot[] {
  return [...bots.values()].filter((bot) => isReturnable(bot))
}

export function isReturnable(bot: Bot): boolean {
  if (bot.engineStatus === 'closing')
    return isSynced(bot) && bot.sleeves.every(({ status }) => status === 'out')
  return (
    bot.engineStatus === 'active' &&
    bot.engineTakingBps !== null &&
    !bot.sleeves.some(({ status }) => status === 'leaving')
  )
}

/** Returns the money of a bot, or the part of it that was taken out, less the fee. */
export function returnMoney(model: Model, bot: Bot): void {
  const isClosed = bot.engineStatus === 'closing'
  assert(
    isReturnable(bot),
    'the money of a bot is returned only after everything that leaves it was sold',
  )
  const left = sum(bot.sleeves.map(({ cash, taken }) => (isClosed ? cash + taken : taken)))
  const { out, dust, rest } = returnedOf({ left, isClosed })
  const part = isClosed
    ? bot.invested
    : investedPart({ invested: bot.invested, takingBps: bot.engineTakingBps ?? 0, out })
  const { fee } = closingFee({
    invested: part,
    out,
    feeBps: feeBpsOf(choiceOf(bot.strategy).strategy, { holdFeeBps: 0 }),
  })
  if (out > 0n) book(model, botReturned({ userId: bot.userId, amount: out, dust, fee }))
  model.figures.fees += fee
  const first = bot.sleeves
    .filter(({ taken }) => taken > 0n)
    .toSorted((a, b) => a.pool.id - b.pool.id)[0]
  if (!isClosed && first) first.cash += rest
  for (const sleeve of bot.sleeves)
    Object.assign(sleeve, { taken: 0n, cash: isClosed ? 0n : sleeve.cash })
  Object.assign(bot, { takingBps: null, engineTakingBps: null })
  if (!isClosed) bot.invested -= part
  if (!isClosed) return
  Object.assign(bot, { status: 'closed', engineStatus: 'closed' })
  for (const sleeve of bot.sleeves) sleeve.pool.sleeves.delete(sleeve)
}
