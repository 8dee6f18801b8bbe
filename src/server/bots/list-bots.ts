import type { Bot } from '#contract/bots.ts'
import type { Handler } from '#server/action.ts'
import type { Queries } from '#server/db/statement.ts'
import { showBot } from './show-bot.ts'
import { findBots } from './store.ts'

export const listBots: Handler<'listBots'> = ({ sql }, { userId }) => readBots(sql, userId)

export async function readBots(sql: Queries, userId: string): Promise<Bot[]> {
  return (await findBots(sql, userId)).map(showBot)
}
