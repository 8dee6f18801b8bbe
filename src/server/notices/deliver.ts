import { emailKey } from '#core/auth/credentials.ts'
import { deliveryRetryMs } from '#core/notices/retry.ts'
import type { Context } from '#server/context.ts'
import { composeMail } from './compose-mail.ts'
import { composePush, topicOf } from './compose-push.ts'
import { findDue, markSent, postpone, takeDelivery, type Channel, type Delivery, type DeliveryKey } from './delivery-store.ts'
import { dropAddress } from './drop-address.ts'
import { purposeOf } from './link.ts'
import { removeSubscription } from './subscription-store.ts'

/** One attempt takes less: after this time another process may try, so that nothing is lost with a process that dies. */
const LEASE_MS = 8_000

/** Deliveries in progress at the same time, each taken right before it is sent: a process that dies delays no more than these. */
const AT_ONCE = 8
const BATCH = 200

/**
 * Sends what is due in a channel. Any number of processes may run it. A message is sent at least once: after a crash between sending and noting it, it is
 * sent again under the same Message-ID or push topic, by which mail programs and browsers recognize it.
 */
export async function deliverNotices(context: Context, channel: Channel): Promise<void> {
  // A mail server that is not configured yet: messages wait.
  if (!context[channel].send) return
  for (;;) {
    const due = await findDue(context.sql, { channel, limit: BATCH })
    await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => deliverEach(context, due.filter((_key, index) => index % AT_ONCE === lane))))
    if (due.length < BATCH) return
  }
}

async function deliverEach(context: Context, due: readonly DeliveryKey[]): Promise<void> {
  for (const key of due) await deliver(context, key)
}

/** A failure delays only this delivery. */
async function deliver(context: Context, key: DeliveryKey): Promise<void> {
  const { sql, log } = context
  const delivery = await takeDelivery(sql, key, LEASE_MS)
  if (!delivery) return
  try {
    const isDone = delivery.channel === 'mail' ? await mail(context, delivery) : await push(context, delivery)
    if (isDone) await markSent(sql, delivery)
    else await postpone(sql, delivery, undefined)
  } catch (error) {
    log.warn({ err: error, deliveryId: key.id, channel: delivery.channel }, 'a message was not sent; it will be tried again')
    await postpone(sql, delivery, deliveryRetryMs(delivery.attempts))
  }
}

/** False if it can never be sent: the user has no verified address any more, or the address does not exist. */
async function mail(context: Context, delivery: Delivery): Promise<boolean> {
  const { id, address } = delivery
  if (address === null || !context.mail.send) return false
  const outcome = await context.mail.send({ id, to: address, ...(await composeMail(context, delivery)) })
  if (outcome === 'sent') return true
  if (purposeOf(delivery.kind) !== 'verify') await dropAddress(context, { userId: delivery.userId, address, emailKey: emailKey(address) })
  return false
}

/** False if the browser has ended its subscription, which is then removed. */
async function push(context: Context, delivery: Delivery): Promise<boolean> {
  const { userId, subscription } = delivery
  if (subscription === null || !context.push.send) return false
  const { id, ...browser } = subscription
  const outcome = await context.push.send({ ...browser, topic: topicOf(delivery), payload: composePush(delivery) })
  if (outcome === 'gone') await removeSubscription(context.sql, { userId, id })
  return outcome === 'sent'
}
