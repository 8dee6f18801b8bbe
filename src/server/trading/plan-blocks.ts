import { present } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { totalCostBps } from '#core/trading/costs.ts'
import type { Side } from '#core/trading/fill.ts'
import { paperFillPrice } from '#core/trading/paper-fill.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import { holdLead } from '#server/market/clock.ts'
import { findHalt } from './halt.ts'
import { expectMany, insertBlock, planWishes, type Block, type BlockKind } from './store.ts'

/** Bots allocated in one database transaction: bounds its length, its memory and what a crash repeats. */
const SLICE_SIZE = 500_000

const STATUS_OF = { strategy: 'following', entry: 'entering', exit: 'closing' } as const

export type Want = { riskLevel: RiskLevel; exposureBps: number; reason: string }

export type Plan = { pair: Pair; wants: readonly Want[]; price: Units }
/** `left`: pairs on which something that is wanted has to wait. */
export type Planned = { blocks: Block[]; left: Pair[] }

export type PlanRequest = { kind: BlockKind; plans: readonly Plan[]; marketTime: Date; epoch: bigint }

/**
 * Freezes what the bots want now as at most two blocks for each pair, the sale first: journalled before anything is sent. What they want
 * on one pair depends on no other, so all pairs are asked in one statement.
 */
export async function planBlocks(context: Context, { kind, plans, marketTime, epoch }: PlanRequest): Promise<Planned> {
  if (plans.length === 0) return { blocks: [], left: [] }
  const { costs, newId } = context
  const asks = plans.map((plan) => ({
    ...plan,
    // In the order in which they run, which is the order in which a crash resumes them.
    sellBlockId: newId(),
    buyBlockId: newId(),
    buyPrice: paperFillPrice({ side: 'buy', price: plan.price, costs }),
  }))
  const askOf = new Map(asks.map((ask) => [ask.pair, ask]))
  return atomically(context.sql, async (tx) => {
    await holdLead(tx, epoch)
    if (await findHalt(tx)) return { blocks: [], left: plans.map(({ pair }) => pair) }
    await expectMany(tx, { bots: 0 })
    const sides = await planWishes(tx, { status: STATUS_OF[kind], asks, costBps: totalCostBps(costs) })
    const blocks: Block[] = []
    const left: Pair[] = []
    for (const { pair, side, wished, bots } of sides) {
      const { price, wants, buyBlockId, sellBlockId } = present(askOf.get(pair), pair)
      const filledBy = await whoFills(context, { kind, pair, side, quantity: wished, price })
      if (filledBy === undefined) {
        left.push(pair)
        continue
      }
      const id = side === 'buy' ? buyBlockId : sellBlockId
      const reasons = Object.fromEntries(wants.map(({ riskLevel, reason }) => [riskLevel, reason]))
      const slices = Math.ceil(bots / SLICE_SIZE)
      blocks.push(await insertBlock(tx, { id, kind, pair, side, price, wished, bots, slices, reasons, marketTime, filledBy }))
    }
    return { blocks, left }
  })
}

type Asked = { kind: BlockKind; pair: Pair; side: Side; quantity: Units; price: Units }

/** Undefined where the order waits: too small for the venue until others want the same, or its market is closed. Who leaves never waits for a size. */
async function whoFills({ venue }: Context, { kind, ...order }: Asked): Promise<Block['filledBy'] | undefined> {
  const answer = await venue.accepts(order)
  if (answer === 'yes') return 'venue'
  return answer === 'too-small' && kind === 'exit' ? 'house' : undefined
}
