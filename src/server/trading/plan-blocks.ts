import { assert, present } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { totalCostBps } from '#core/trading/costs.ts'
import type { Side } from '#core/trading/fill.ts'
import { paperFillPrice } from '#core/trading/paper-fill.ts'
import type { Context } from '#server/context.ts'
import { findHalt } from './halt.ts'
import { adoptStatuses, expectMany, findUnfinishedBlocks, insertBlock, nextPlan, planSides, type Block, type BlockKind } from './store.ts'
import { underLead } from './under-lead.ts'

/** Bots that get their shares in one database transaction: bounds its length, its memory and what a crash repeats. */
const SLICE_SIZE = 500_000
/** From so many bots on a second connection is worth its while. */
const SPLIT_FROM = 250_000

const slicesOf = (bots: number): number => Math.max(Math.ceil(bots / SLICE_SIZE), bots > SPLIT_FROM ? 2 : 1)

export type Want = { riskLevel: RiskLevel; exposureBps: number; reason: string }

export type Plan = { pair: Pair; wants: readonly Want[]; price: Units }
/** `left`: pairs on which something that is wanted has to wait. */
export type Planned = { blocks: Block[]; left: Pair[] }

export type PlanRequest = { kind: BlockKind; plans: readonly Plan[]; marketTime: Date; epoch: bigint }

/**
 * Fixes what the bots want now as at most two blocks for each pair, the sale first: journalled before anything is sent. What they want
 * on one pair depends on no other, so all pairs are asked in one statement.
 */
export async function planBlocks(context: Context, { kind, plans, marketTime, epoch }: PlanRequest): Promise<Planned> {
  if (plans.length === 0) return { blocks: [], left: [] }
  const { costs } = context
  const costBps = totalCostBps(costs)
  const asks = plans.map((plan) => ({ ...plan, buyPrice: paperFillPrice({ side: 'buy', price: plan.price, costs }) }))
  const askOf = new Map(asks.map((ask) => [ask.pair, ask]))
  return underLead(context, epoch, async (tx) => {
    if (await findHalt(tx)) return { blocks: [], left: plans.map(({ pair }) => pair) }
    assert((await findUnfinishedBlocks(tx)).length === 0, 'sleeves stand still while a block is under way')
    await expectMany(tx)
    await adoptStatuses(tx)
    const sides = await planSides(tx, { kind, asks, costBps })
    const blocks: Block[] = []
    const left: Pair[] = []
    if (sides.length === 0) return { blocks, left }
    const plan = await nextPlan(tx)
    for (const { pair, side, wished, bots } of sides) {
      const { price, buyPrice, wants } = present(askOf.get(pair), pair)
      const filledBy = await whoFills(context, { kind, pair, side, quantity: wished, price })
      if (filledBy === undefined) {
        left.push(pair)
        continue
      }
      const exposures = Object.fromEntries(wants.map(({ riskLevel, exposureBps }) => [riskLevel, exposureBps]))
      const reasons = Object.fromEntries(wants.map(({ riskLevel, reason }) => [riskLevel, reason]))
      const sizes = { price, buyPrice, costBps, exposures, reasons, wished, bots, slices: slicesOf(bots) }
      blocks.push(await insertBlock(tx, { id: context.newId(), plan, kind, pair, side, ...sizes, marketTime, filledBy }))
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
