import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { totalCostBps } from '#core/trading/costs.ts'
import { paperFillPrice } from '#core/trading/paper-fill.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import { holdLead } from '#server/market/clock.ts'
import { expectMany, insertBlock, planWishes, type Block, type BlockKind } from './store.ts'

/** Bots allocated in one database transaction: bounds its length, its memory and what a crash repeats. */
const SLICE_SIZE = 500_000

const STATUS_OF = { strategy: 'following', entry: 'entering', exit: 'closing' } as const

export type Want = { riskLevel: RiskLevel; exposureBps: number; reason: string }

export type PlanRequest = { kind: BlockKind; pair: Pair; wants: readonly Want[]; price: Units; marketTime: Date; epoch: bigint }

/** Freezes what the bots of a pair want now as at most two blocks, the sale first: journalled before anything is sent. */
export async function planBlocks(context: Context, { kind, pair, wants, price, marketTime, epoch }: PlanRequest): Promise<Block[]> {
  const { costs } = context
  const [sellBlockId, buyBlockId] = [context.newId(), context.newId()]
  const reasons = Object.fromEntries(wants.map(({ riskLevel, reason }) => [riskLevel, reason]))
  return atomically(context.sql, async (tx) => {
    await holdLead(tx, epoch)
    await expectMany(tx, { bots: 0 })
    const sides = await planWishes(tx, {
      pair,
      status: STATUS_OF[kind],
      wants,
      price,
      buyPrice: paperFillPrice({ side: 'buy', price, costs }),
      costBps: totalCostBps(costs),
      buyBlockId,
      sellBlockId,
      sliceSize: SLICE_SIZE,
    })
    const blocks: Block[] = []
    for (const { side, wished, bots, slices } of sides.toSorted((a, b) => (a.side > b.side ? -1 : 1))) {
      const id = side === 'buy' ? buyBlockId : sellBlockId
      blocks.push(await insertBlock(tx, { id, kind, pair, side, price, wished, bots, slices, reasons, marketTime }))
    }
    return blocks
  })
}
