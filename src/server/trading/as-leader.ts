import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Transaction } from '#server/db/open.ts'
import { holdLead } from '#server/market/clock.ts'

/**
 * Like `atomically`, for the engine that leads under `epoch`: throws if another engine took over,
 * and prevents that until the commit.
 */
export function asLeader<Result>(
  { sql }: Pick<Context, 'sql'>,
  epoch: bigint,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return atomically(sql, async (tx) => {
    await holdLead(tx, epoch)
    return work(tx)
  })
}
