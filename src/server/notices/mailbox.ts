import type { Context } from '#server/context.ts'
import { composeMail, type Composed } from './compose.ts'
import {
  findDelivery,
  findMailbox,
  type DeliveryKey,
  countDeliveries,
  findRefusals,
  type DeliveryQuery,
} from './delivery-store.ts'
import type { Queries } from '#server/db/statement.ts'

export type MailboxMessage = Composed & { id: string; username: string; to: string; sentAt: Date }

/**
 * Messages kept instead of sent, newest first. Each is written again when read, so that no table
 * contains a link. Threat: a session left open would reveal a link to a new password; only the
 * operator's command shows those.
 */
export async function readMailbox(
  context: Context,
  wanted: DeliveryQuery,
): Promise<MailboxMessage[]> {
  const messages: MailboxMessage[] = []
  for (const key of await findMailbox(context.sql, wanted))
    messages.push(...(await read(context, key)))
  return messages
}

async function read(
  context: Context,
  key: DeliveryKey & { sentAt: Date },
): Promise<MailboxMessage[]> {
  const delivery = await findDelivery(context.sql, key)
  if (!delivery || delivery.address === null) return []
  return [
    {
      id: key.id,
      username: delivery.username,
      to: delivery.address,
      sentAt: key.sentAt,
      ...(await composeMail(context, delivery)),
    },
  ]
}

/** Waiting, sent and abandoned messages by channel. */
export async function countOutbox(sql: Queries) {
  return countDeliveries(sql)
}

/**
 * Number of undelivered messages by answer of the push service, for answers that reject our
 * request.
 */
export async function countRefusals(sql: Queries) {
  return findRefusals(sql)
}
