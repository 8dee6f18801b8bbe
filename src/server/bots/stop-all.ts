import { setTimeout as delay } from 'node:timers/promises'
import type { Handler } from '#server/action.ts'
import type { Queries } from '#server/db/statement.ts'
import { publish, wakeEngine } from '#server/events/bus.ts'
import { closeAllBots } from './change-bots.ts'

/**
 * The longest time that the answer waits for orders that were planned before, and the time between
 * two looks at them.
 */
const PATIENCE_MS = 800
const LOOK_MS = 10

/**
 * Closes every bot of the user. After the answer, the only orders that are planned for them are the
 * sales that close them: a plan that is being made is committed before, and every later one sees
 * bots that leave. The answer waits for orders that are under way, and counts those that an
 * exchange has not settled by then: the bots keep their part of them and sell it next.
 */
export const stopAll: Handler<'stopAll'> = async ({ sql, atomically }, { userId }) => {
  const closing = await atomically(async ({ sql }) => {
    await holdPlanning(sql)
    const count = await closeAllBots(sql, userId)
    await publish(sql, { name: 'bots', userIds: [userId] })
    await wakeEngine(sql)
    return count
  })
  return { closing, ordersUnderWay: closing === 0 ? 0 : await settleBefore(sql) }
}

/** Waits until the blocks that are planned now are settled; returns how many are not. */
async function settleBefore(sql: Queries): Promise<number> {
  const planned = await sql<{ id: string }[]>`select id from engine_blocks where state <> 'settled'`
  const ids = planned.map(({ id }) => id)
  let left = ids.length
  for (let waitedMs = 0; left > 0 && waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    await delay(LOOK_MS)
    const [row] = await sql<
      { left: number }[]
    >`select count(*)::integer as left from engine_blocks where state <> 'settled'
      and id = any(${ids}::uuid[])`
    left = row?.left ?? 0
  }
  return left
}

/**
 * The advisory lock between the engine's plans and stop-all. Any fixed number that no other lock of
 * this database has.
 */
const PLANNING = 7_105_001

/**
 * Held by a plan until it is committed: it sees every bot that was closed before, and none is
 * closed while it is made.
 */
export async function lockPlanning(tx: Queries): Promise<void> {
  await tx`select pg_advisory_xact_lock(${PLANNING})`
}

/**
 * Held by stop-all until its bots are closing: no plan is made meanwhile, and other users need not
 * wait.
 */
async function holdPlanning(tx: Queries): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${PLANNING})`
}
