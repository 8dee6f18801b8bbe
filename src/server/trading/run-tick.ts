import type { Pair } from '#core/market/pair.ts'
import type { Context } from '#server/context.ts'
import { publishTrading } from '#server/events/bus.ts'
import { syncBots } from './sync-bots.ts'
import { sumLots, type Moving } from './lots.ts'
import { moveWithoutOrder } from './move-without-order.ts'
import { planBlocks, type PairInput, type Phase, type Planned } from './plan-blocks.ts'
import { runBlocks } from './run-blocks.ts'
import { findPools } from './store.ts'
import { asLeader } from './as-leader.ts'

type Tick = { inputs: readonly PairInput[]; marketTime: Date; epoch: bigint }

/** `moving`: pairs on which sleeves are on their way, so that they need an order; `news`: those of them on which that was just asked for. */
type Moved = { moving: Set<Pair>; news: Set<Pair> }

/** Adopts what owners of bots have asked for, and does whatever needs neither a price nor an order. */
export async function moveSleeves(context: Context, { marketTime, epoch }: Omit<Tick, 'inputs'>): Promise<Moved> {
  return asLeader(context, epoch, async (tx) => {
    const before = await sumLots(tx)
    const synced = await syncBots(tx, membersOfFullest(before))
    const lots = synced.length > 0 ? await sumLots(tx) : before
    const pools = await findPools(tx)
    const concerned = await moveWithoutOrder(context, tx, { pools, lots, marketTime })
    if (concerned === undefined || concerned.length > 0) await publishTrading(tx, concerned)
    const pairsOf = (isIn: (id: number) => boolean) => new Set(pools.filter(({ id }) => isIn(id)).map(({ pair }) => pair))
    return { moving: pairsOf((id) => lots.has(id)), news: pairsOf((id) => synced.includes(id)) }
  })
}

function membersOfFullest(lots: ReadonlyMap<number, Moving>): number {
  return Math.max(0, ...[...lots.values()].map(({ members }) => members))
}

/**
 * What pools and lots trade at one moment, on all pairs asked: leavers and strategies first, then purchases that waited for leavers, then
 * lots that come in at the mix that is held by then. Answers the pairs on which something is left to do: partly filled, too small, or halted.
 */
export async function runTick(context: Context, { inputs, marketTime, epoch }: Tick): Promise<Set<Pair>> {
  const waiting = new Set<Pair>()
  const run = async (phase: Phase, only?: ReadonlySet<number>): Promise<Planned> => {
    const planned = await planBlocks(context, { phase, inputs, marketTime, epoch, ...(only && { only }) })
    for (const pair of planned.left) waiting.add(pair)
    for (const { pair } of await runBlocks(context, planned.blocks, { epoch })) waiting.add(pair)
    return planned
  }
  const { later, hasLots } = await run('trade')
  if (later.length > 0) await run('late', new Set(later))
  if (hasLots) await run('join')
  return waiting
}
