import type { Pair } from '#core/market/pair.ts'
import type { WaitReason } from '#core/trading/wait.ts'
import type { Context } from '#server/context.ts'
import { publishTrading } from '#server/events/bus.ts'
import { LOT_SIZE, syncBots } from './sync-bots.ts'
import { finishChanges } from './finish-changes.ts'
import { NAMED, sumLots, type Moving } from './movers.ts'
import { moveWithoutOrder } from './move-without-order.ts'
import { planBlocks, type PairInput, type Phase, type Planned } from './plan-blocks.ts'
import { runBlocks } from './run-blocks.ts'
import { findBusyPools, findPools } from './store.ts'
import type { Tries } from './waits.ts'
import { asLeader } from '#server/market/clock.ts'

type Tick = { inputs: readonly PairInput[]; marketTime: Date; epoch: bigint }

/** `moving`: pairs whose sleeves need an order; `news`: pairs of bots that were just synced. */
type Moved = { moving: Set<Pair>; news: Set<Pair> }

/** Syncs sleeves with their bots, and makes the moves that need no order. */
export async function moveSleeves(
  context: Context,
  { marketTime, epoch }: Pick<Tick, 'marketTime' | 'epoch'>,
): Promise<Moved> {
  return asLeader(context, epoch, async (tx) => {
    const busy = await findBusyPools(tx.sql)
    const isFree = ({ id }: { id: number }) => !busy.pools.includes(id)
    const before = await sumLots(tx.sql)
    const room = LOT_SIZE - membersOfFullest([...before].filter(([id]) => isFree({ id })))
    const finished = await finishChanges(tx.sql, { room, at: marketTime, busy })
    const synced = [
      ...finished.map(({ pool }) => pool),
      ...(await syncBots(tx.sql, { room, busy })),
    ]
    const lots = synced.length > 0 ? await sumLots(tx.sql) : before
    const pools = await findPools(tx.sql)
    const free = pools.filter(isFree)
    const moved = await moveWithoutOrder(context, tx, { pools: free, lots, marketTime })
    const changed = [...new Set(finished.map(({ userId }) => userId))]
    // Undefined: too many users to name, so that all are notified.
    const users = moved && changed.length <= NAMED ? [...moved, ...changed] : undefined
    if (users === undefined || users.length > 0) await publishTrading(tx.sql, users)
    const pairsOf = (isIn: (id: number) => boolean) =>
      new Set(pools.filter(({ id }) => isIn(id)).map(({ pair }) => pair))
    return {
      moving: pairsOf((id) => lots.has(id)),
      news: pairsOf((id) => synced.includes(id)),
    }
  })
}

function membersOfFullest(lots: readonly (readonly [number, Moving])[]): number {
  return Math.max(0, ...lots.map(([, { members }]) => members))
}

/**
 * `left`: pairs whose orders were partly filled, too small, halted, or of unknown outcome. `tries`:
 * why a pair's coins could not be sold; empty while orders are halted.
 */
type Traded = { left: Set<Pair>; tries: Tries }

/**
 * Trades all given pairs: leavers and strategies first, then purchases that waited for leavers,
 * then joining lots.
 */
export async function runTick(
  context: Context,
  { inputs, marketTime, epoch }: Tick,
): Promise<Traded> {
  const left = new Set<Pair>()
  const tries = new Map<Pair, WaitReason | undefined>()
  const run = async (phase: Phase, only?: ReadonlySet<number>): Promise<Planned> => {
    const planned = await planBlocks(context, {
      phase,
      inputs,
      marketTime,
      epoch,
      ...(only && { only }),
    })
    if (phase === 'trade' && !planned.isHalted)
      for (const { pair } of inputs) tries.set(pair, undefined)
    for (const pair of planned.left) left.add(pair)
    for (const pair of planned.closed) tries.set(pair, 'closed')
    const { unfilled, unknown } = await runBlocks(context, planned.blocks, { epoch })
    for (const { pair, side } of unfilled) {
      left.add(pair)
      if (side === 'sell') tries.set(pair, 'unfilled')
    }
    for (const pair of [...planned.unknown, ...unknown]) {
      left.add(pair)
      tries.set(pair, 'unknown')
    }
    return planned
  }
  const { later, hasLots } = await run('trade')
  if (later.length > 0) await run('late', new Set(later))
  if (hasLots) await run('join')
  return { left, tries }
}
