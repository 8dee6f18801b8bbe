import type { Context } from '#server/context.ts'
import { planBlocks, type PlanRequest } from './plan-blocks.ts'
import { runBlock } from './run-block.ts'
import type { Block } from './store.ts'

/**
 * Trades for one pair after the other, because a sale's fee looks at all sleeves of its bots. What the bots want on the next pair
 * depends on no other, so it is planned meanwhile.
 */
export async function runPlans(context: Context, plans: readonly PlanRequest[]): Promise<void> {
  let planned: Planned[] = []
  for (const plan of [...plans, undefined]) {
    // A fault in one waits for the end of the other: nothing goes on behind the back of whoever resumes.
    const [planning, running] = await Promise.allSettled([plan ? planNext(context, plan) : [], runInTurn(context, planned)])
    if (running.status === 'rejected') throw running.reason
    if (planning.status === 'rejected') throw planning.reason
    planned = planning.value
  }
}

type Planned = { block: Block; epoch: bigint }

async function planNext(context: Context, plan: PlanRequest): Promise<Planned[]> {
  const blocks = await planBlocks(context, plan)
  return blocks.map((block) => ({ block, epoch: plan.epoch }))
}

async function runInTurn(context: Context, blocks: readonly Planned[]): Promise<void> {
  for (const { block, epoch } of blocks) await runBlock(context, block, { epoch })
}
