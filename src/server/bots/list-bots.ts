import type { Handler } from '#server/http/handler.ts'
import { showBot } from './show-bot.ts'
import { findBots } from './store.ts'

export const listBots: Handler<'listBots'> = async ({ sql }, { userId }) => (await findBots(sql, userId)).map(showBot)
