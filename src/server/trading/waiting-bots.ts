import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Queries } from '#server/db/open.ts'

/** Bots that await their first trade or their end. */
export async function findWaitingBots(sql: Queries): Promise<{ userId: string; id: string; status: 'entering' | 'closing'; tradingPairs: Pair[] }[]> {
  return sql<{ userId: string; id: string; status: 'entering' | 'closing'; tradingPairs: Pair[] }[]>`
    select user_id, id, status, trading_pairs from trading_bots where status in ('entering', 'closing') order by id`
}

/** New bots have entered: from now on they follow. */
export async function markFollowing(tx: Queries, botIds: readonly string[]): Promise<void> {
  await tx`update trading_bots set status = 'following' where status = 'entering' and id = any(${[...botIds]}::uuid[])`
}

/** Sells are done: empties the bot's sleeves and answers the cash that was in them; undefined while coins are left or nothing is closing. */
export async function emptyClosingBot(tx: Queries, { userId, id }: { userId: string; id: string }): Promise<{ name: string; cash: Units } | undefined> {
  const [bot] = await tx<{ name: string }[]>`
    select name from trading_bots where user_id = ${userId} and id = ${id} and status = 'closing' for no key update`
  const positions = await tx<{ cash: Units; base: Units }[]>`
    select cash, base from bot_positions where user_id = ${userId} and bot_id = ${id} for no key update`
  if (!bot || positions.some(({ base }) => base > 0n)) return undefined
  await tx`update bot_positions set cash = 0, applied_bps = 0 where user_id = ${userId} and bot_id = ${id}`
  await tx`
    update trading_bots set status = 'closed', closed_at = clock_timestamp(), updated_at = clock_timestamp()
     where user_id = ${userId} and id = ${id}`
  return { name: bot.name, cash: positions.reduce((sum, { cash }) => sum + cash, 0n) }
}
