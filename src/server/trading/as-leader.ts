import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Transaction } from '#server/db/open.ts'
import { holdLead } from '#server/market/clock.ts'

/** `atomically`, by the engine that leads under `epoch`: throws where another one took over, and none can meanwhile. */
export function asLeader<Result>({ sql }: Pick<Context, 'sql'>, epoch: bigint, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return atomically(sql, async (tx) => {
    await holdLead(tx, epoch)
    return work(tx)
  })
}
