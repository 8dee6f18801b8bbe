import type { Webhooks } from '#contract/notices.ts'
import type { Handler } from '#server/action.ts'
import type { Queries } from '#server/db/statement.ts'
import { findMessages, findWebhooks } from './webhook-store.ts'

export const listWebhooks: Handler<'listWebhooks'> = async ({ sql }, { userId }) =>
  readWebhooks(sql, userId)

export async function readWebhooks(sql: Queries, userId: string): Promise<Webhooks> {
  const [webhooks, messages] = [await findWebhooks(sql, userId), await findMessages(sql, userId)]
  return {
    webhooks: webhooks.map((webhook) => ({
      ...webhook,
      createdAt: webhook.createdAt.toISOString(),
      failingSince: webhook.failingSince?.toISOString() ?? null,
    })),
    messages: messages.map((message) => ({
      ...message,
      createdAt: message.createdAt.toISOString(),
      nextAt: message.nextAt?.toISOString() ?? null,
    })),
  }
}
