import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import { holdLead } from '#server/market/clock.ts'
import { planBlocks, type PlanRequest } from './plan-blocks.ts'
import { runBlock } from './run-block.ts'
import { forgetWishes } from './store.ts'

/** Trades for all pairs at once planned, one block after the other run, because a sale's fee looks at all sleeves of its bots. */
export async function runPlans(context: Context, request: PlanRequest): Promise<void> {
  const { epoch } = request
  const blocks = await planBlocks(context, request)
  for (const block of blocks) await runBlock(context, block, { epoch })
  if (blocks.length === 0) return
  await atomically(context.sql, async (tx) => {
    await holdLead(tx, epoch)
    await forgetWishes(tx)
  })
}
