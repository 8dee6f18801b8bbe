import type { Pair } from '#core/market/pair.ts'
import type { Context } from '#server/context.ts'
import { planBlocks, type PlanRequest } from './plan-blocks.ts'
import { runBlock } from './run-block.ts'

/**
 * Trades for all pairs at once planned, one block after the other run, because a sale's fee looks at all sleeves of its bots. Answers the
 * pairs on which something is left to do: partly filled, too small, or halted.
 */
export async function runPlans(context: Context, request: PlanRequest): Promise<Set<Pair>> {
  const { epoch } = request
  const { blocks, left } = await planBlocks(context, request)
  const waiting = new Set(left)
  for (const block of blocks) {
    const { isWhole } = await runBlock(context, block, { epoch })
    if (!isWhole) waiting.add(block.pair)
  }
  return waiting
}
