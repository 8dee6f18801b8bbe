import { setTimeout as delay } from 'node:timers/promises'
import type { Handler } from '#server/action.ts'
import type { Queries } from '#server/db/statement.ts'
import { publish, wakeEngine } from '#server/events/bus.ts'
import { holdPlanning } from '#server/holdings/planning-lock.ts'
import { closeAllBots } from './change-bots.ts'

/** Maximum time for which the answer waits for orders that were planned before. */
const PATIENCE_MS = 800
const LOOK_MS = 10

/**
 * Closes every bot of the user. After the answer, only sales that close them are planned: a plan in
 * progress commits before the answer, and later plans find the bots closing. The answer contains
 * the number of orders that the exchange has not settled by then. Their bots sell that part next.
 */
export const stopAll: Handler<'stopAll'> = async ({ sql, atomically }, { userId }) => {
  const closing = await atomically(async ({ sql }) => {
    await holdPlanning(sql)
    const count = await closeAllBots(sql, userId)
    await publish(sql, { name: 'bots', userIds: [userId] })
    await wakeEngine(sql)
    return count
  })
  return { closing, ordersUnderWay: closing === 0 ? 0 : await settleBefore(sql, userId) }
}

/** Waits until the blocks planned now on the user's pools are settled; returns how many are not. */
async function settleBefore(sql: Queries, userId: string): Promise<number> {
  const planned = await sql<{ id: string }[]>`
    select distinct k.id from engine_blocks k
     cross join jsonb_array_elements(k.parties) party
      join sleeves s on s.pool = (party ->> 'pool')::smallint
     where k.state <> 'settled' and s.user_id = ${userId} and s.status not in ('new', 'out')`
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
