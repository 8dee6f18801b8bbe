import { setTimeout as delay } from 'node:timers/promises'
import { emailKey } from '#core/auth/credentials.ts'
import { deliveryRetryMs } from '#core/notices/retry.ts'
import { webhookRetryMs } from '#core/notices/webhook.ts'
import type { Context } from '#server/context.ts'
import { composeMail, composePush, topicOf } from './compose.ts'
import {
  findDue,
  findDueOfWebhooks,
  markSent,
  noteRefusal,
  postpone,
  renewLease,
  takeDelivery,
  type Channel,
  type Delivery,
  type DeliveryKey,
} from './delivery-store.ts'
import { leaveLocked } from '#server/ledger/guard-seals.ts'
import { purposeOf } from './link.ts'
import { PushRefused } from '#server/ports/push.ts'
import { removeSubscription } from './store.ts'
import { changeAccount } from '#server/security/account-seal.ts'
import { writeAudit } from '#server/security/audit.ts'
import { notify } from './notify.ts'
import { sendWebhook } from './send-webhook.ts'

/**
 * After this time another process may retry, so that no delivery is lost with a dead process. A
 * live process renews its lease while it sends.
 */
const LEASE_MS = 8_000
const RENEWALS_PER_LEASE = 4
/** Limit for a server that keeps answering but never finishes. */
const ATTEMPT_MS = 600_000

/**
 * Concurrent deliveries. Each is claimed right before it is sent, so a dead process delays only
 * these.
 */
const AT_ONCE: Record<Channel, number> = { mail: 8, push: 8, webhook: 128 }
/** Many users' webhooks can share a host, and no host may take all places. */
const AT_ONE_HOST = 8
const BATCH = 200

/** Messages of one webhook per poll. */
const OF_ONE_WEBHOOK = 10

/** Poll interval for new messages while deliveries to webhooks are running. */
const LOOK_EVERY_MS = 500

/**
 * A stopping process waits this long for its deliveries to webhooks; the next process sends the
 * rest again.
 */
const STOP_WAIT_MS = 2_000

/** Each function returns false if the message can never be sent. */
const SENDERS: Record<Channel, (context: Context, delivery: Delivery) => Promise<boolean>> = {
  mail,
  push,
  webhook: sendWebhook,
}

/**
 * Any number of processes may run this. Delivery is at least once: after a crash between sending
 * and recording, a message is sent again under the same Message-ID or push topic, by which mail
 * programs and browsers recognize it.
 */
export async function deliverNotices(
  context: Context,
  channel: Channel,
  { leaseMs = LEASE_MS, signal = new AbortController().signal } = {},
): Promise<void> {
  // Messages wait until a mail server is configured.
  if (!context[channel].send) return
  const sending = { ...context, leaseMs }
  if (channel === 'webhook') return deliverToWebhooks(sending, signal)
  for (;;) {
    const due = await findDue(context.sql, { channel, limit: BATCH })
    const lanes = AT_ONCE[channel]
    await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        deliverEach(
          sending,
          due.filter((_key, index) => index % lanes === lane),
        ),
      ),
    )
    if (due.length < BATCH) return
  }
}

type Sending = Context & { leaseMs: number }

/** Messages on their way, by webhook. */
type UnderWay = Map<string, { host: string; done: Promise<void> }>

/**
 * Delivers to all webhooks at the same time, one message at a time to each, so that a slow receiver
 * delays no other.
 */
async function deliverToWebhooks(context: Sending, signal: AbortSignal): Promise<void> {
  const underWay: UnderWay = new Map()
  const allDone = () => [...underWay.values()].map(({ done }) => done)
  while (!signal.aborted) {
    const hasBegun = await beginDue(context, { underWay, signal }).catch((error: unknown) => {
      context.log.error({ err: error }, 'no messages for webhooks could be read')
      return false
    })
    if (underWay.size === 0) return
    if (!hasBegun) await Promise.race([...allDone(), delay(LOOK_EVERY_MS)])
  }
  await Promise.race([Promise.all(allDone()), delay(STOP_WAIT_MS)])
}

type Beginning = { underWay: UnderWay; signal: AbortSignal }

/** False if nothing is due to a free webhook, or no place is free. */
async function beginDue(context: Sending, { underWay, signal }: Beginning): Promise<boolean> {
  const { sql, log } = context
  const hosts = new Map<string, number>()
  const countAt = (host: string) => hosts.set(host, (hosts.get(host) ?? 0) + 1)
  for (const { host } of underWay.values()) countAt(host)
  const isFull = (host: string) => (hosts.get(host) ?? 0) >= AT_ONE_HOST
  const before = underWay.size
  const due = await findDueOfWebhooks(sql, {
    limit: AT_ONCE.webhook,
    each: OF_ONE_WEBHOOK,
    webhookIds: [...underWay.keys()],
    hosts: [...hosts.keys()].filter(isFull),
  })
  for (const { userId, webhookId, host, ids } of due) {
    if (underWay.size >= AT_ONCE.webhook || isFull(host)) continue
    countAt(host)
    const keys = ids.map((id) => ({ userId, id }))
    const done = deliverUntilFailure(context, keys, signal)
      .catch((error: unknown) => {
        log.error({ err: error, webhookId }, 'messages were not sent')
        // Otherwise the same messages would be taken again at once, while the fault lasts.
        return delay(LOOK_EVERY_MS)
      })
      .finally(() => underWay.delete(webhookId))
    underWay.set(webhookId, { host, done })
  }
  return underWay.size > before
}

async function deliverEach(context: Sending, due: readonly DeliveryKey[]): Promise<void> {
  for (const key of due) await deliver(context, key)
}

/**
 * Stops at the first failure, so that an unresponsive receiver takes a place for one attempt, not
 * for each due message.
 */
async function deliverUntilFailure(
  context: Sending,
  due: readonly DeliveryKey[],
  signal: AbortSignal,
): Promise<void> {
  for (const key of due) if (signal.aborted || !(await deliver(context, key))) return
}

/** A failure delays only this delivery. False after a failure. */
async function deliver(context: Sending, key: DeliveryKey): Promise<boolean> {
  const { sql, log, leaseMs } = context
  const delivery = await takeDelivery(sql, key, leaseMs)
  if (!delivery) return true
  try {
    const isDone = await renewing(context, {
      delivery,
      work: SENDERS[delivery.channel](context, delivery),
    })
    if (isDone) await markSent(sql, delivery)
    else await postpone(sql, delivery, undefined)
    return true
  } catch (error) {
    const isOurMistake = error instanceof PushRefused && error.meaning === 'our-mistake'
    // The owner of a receiver sees its failures.
    const others = delivery.channel === 'webhook' ? 'debug' : 'warn'
    log[isOurMistake ? 'error' : others](
      { err: error, deliveryId: key.id, channel: delivery.channel },
      'a message was not sent; it will be tried again',
    )
    if (isOurMistake) await noteRefusal(sql, delivery, error.answer)
    await postpone(sql, delivery, waitMs(delivery, error))
    return false
  }
}

/** Wait before the next attempt, as long as the service asks for; undefined to give up. */
function waitMs({ attempts, channel }: Delivery, error: unknown): number | undefined {
  const retryAfterMs = error instanceof PushRefused ? (error.retryAfterMs ?? 0) : 0
  const planned =
    channel === 'webhook' ? webhookRetryMs(attempts, Math.random()) : deliveryRetryMs(attempts)
  return planned === undefined ? undefined : Math.max(planned, retryAfterMs)
}

/** Keeps other processes from a delivery during `work`, however slow the server is. */
async function renewing(
  { sql, log, leaseMs }: Sending,
  { delivery, work }: { delivery: Delivery; work: Promise<boolean> },
): Promise<boolean> {
  let renewal = Promise.resolve()
  const timer = setInterval(() => {
    renewal = renewal
      .then(() => renewLease(sql, delivery, leaseMs))
      .catch((error: unknown) =>
        log.warn({ err: error, deliveryId: delivery.id }, 'the lease of a message was not renewed'),
      )
  }, leaseMs / RENEWALS_PER_LEASE)
  const ended = new AbortController()
  const tooLong = delay(ATTEMPT_MS, undefined, { signal: ended.signal }).then(() =>
    Promise.reject(new Error('the attempt took too long')),
  )
  try {
    return await Promise.race([work, tooLong])
  } finally {
    clearInterval(timer)
    tooLong.catch(() => undefined)
    ended.abort()
    // Written after the time of the next attempt, it would bring that attempt forward.
    await renewal
  }
}

/**
 * False if it can never be sent: the user no longer has a verified address, or the address does not
 * exist.
 */
async function mail(context: Context, delivery: Delivery): Promise<boolean> {
  const { id, address } = delivery
  if (address === null || !context.mail.send) return false
  const outcome = await context.mail.send({
    id,
    to: address,
    ...(await composeMail(context, delivery)),
  })
  if (outcome === 'sent') return true
  if (purposeOf(delivery.kind) !== 'verify')
    await dropAddress(context, {
      userId: delivery.userId,
      address,
      emailKey: emailKey(address),
    }).catch((error: unknown) => leaveLocked(context, error))
  return false
}

/**
 * False if it can never be sent: the message is too large, or the browser has ended its
 * subscription, which is then removed.
 */
async function push(context: Context, delivery: Delivery): Promise<boolean> {
  const { userId, subscription } = delivery
  if (subscription === null || !context.push.send) return false
  const { id, ...browser } = subscription
  const outcome = await context.push.send({
    ...browser,
    topic: topicOf(delivery),
    payload: composePush(delivery),
  })
  if (outcome === 'gone') await removeSubscription(context.sql, { userId, id })
  if (outcome === 'too-large')
    context.log.error({ deliveryId: delivery.id }, 'a push message is too large for its service')
  return outcome === 'sent'
}

type Dead = { userId: string; address: string; emailKey: string }

/**
 * A nonexistent address is no longer verified: nothing is sent to it, and a notice in the app says
 * so.
 */
async function dropAddress(context: Context, { userId, address, emailKey }: Dead): Promise<void> {
  await changeAccount(context, userId, async (tx) => {
    const { count } = await tx.sql`
      update users set email_verified_at = null, updated_at = now() where id = ${userId}
         and email = ${address} and email_verified_at is not null`
    if (count === 0) return
    await tx.sql`delete from emails where email_key = ${emailKey} and user_id = ${userId}`
    await tx.sql`delete from verified_emails where user_id = ${userId} and email = ${address}`
    await notify(tx.sql, {
      userId,
      kind: 'email-dead',
      event: `email-dead:${context.newId()}`,
      details: { address },
    })
    await writeAudit(tx, {
      id: context.newId(),
      actor: 'system',
      action: 'email.dead',
      subject: userId,
      details: {},
    })
  })
}
