import type { Language } from '#words/language.ts'
import { DISOWN_DAYS, type StoredNoticeDetails } from '#core/notices/notice.ts'
import type { Queries } from '#server/db/statement.ts'
import type { MailKind } from './link.ts'

export type Channel = 'mail' | 'push' | 'webhook'

export type DeliveryKey = { userId: string; id: string }

/** A message to one address, browser or webhook, with all that is needed to write it. */
export type Delivery = DeliveryKey & {
  channel: Channel
  kind: MailKind
  details: StoredNoticeDetails
  noticeId: string | null
  /** Address of the message: the given one, else the user's verified one. */
  address: string | null
  subscription: { id: string; endpoint: string; p256dh: string; auth: string } | null
  /** Null if it was removed or switched off. `secrets`: sealed, the present one first. */
  webhook: { id: string; address: string; isFailing: boolean; secrets: string[] } | null
  username: string
  language: Language
  pushAmounts: boolean
  attempts: number
  createdAt: Date
}

/** Due deliveries, urgent ones first. */
export async function findDue(
  sql: Queries,
  { channel, limit }: { channel: Channel; limit: number },
): Promise<DeliveryKey[]> {
  return sql<DeliveryKey[]>`
    select user_id, id from deliveries where state = 'waiting' and due_at <= now()
       and channel = ${channel} order by is_urgent desc, due_at limit ${limit}`
}

type DueOfWebhook = { userId: string; webhookId: string; host: string; ids: string[] }

/** The oldest due message of each webhook, except of the given webhooks and hosts. */
export async function findDueOfWebhooks(
  sql: Queries,
  {
    limit,
    each,
    webhookIds,
    hosts,
  }: { limit: number; each: number; webhookIds: string[]; hosts: string[] },
): Promise<DueOfWebhook[]> {
  return sql<DueOfWebhook[]>`
    select user_id, webhook_id, host, (array_agg(id order by due_at))[:${each}::integer] as ids
      from (select d.user_id, d.webhook_id, d.id, d.due_at,
                   coalesce(split_part(w.address, '/', 3), '') as host
              from deliveries d
              left join webhooks w on w.user_id = d.user_id and w.id = d.webhook_id
             where d.state = 'waiting' and d.due_at <= now() and d.channel = 'webhook'
               and d.webhook_id <> all(${webhookIds}::uuid[])) due
     where host <> all(${hosts}::text[]) group by user_id, webhook_id, host
     order by min(due_at) limit ${limit}`
}

/**
 * Takes a delivery for `leaseMs`, after which it is due again even if the process has died.
 * Undefined if another process has it.
 */
export async function takeDelivery(
  sql: Queries,
  { userId, id }: DeliveryKey,
  leaseMs: number,
): Promise<Delivery | undefined> {
  const { count } = await sql`
    update deliveries set attempts = attempts + 1,
           due_at = now() + ${leaseMs} * interval '1 millisecond'
     where user_id = ${userId} and id = ${id} and state = 'waiting' and due_at <= now()`
  return count === 1 ? findDelivery(sql, { userId, id }) : undefined
}

/**
 * Extends the lease, unless another process has taken the delivery since: each attempt has its own
 * number.
 */
export async function renewLease(
  sql: Queries,
  { userId, id, attempts }: Pick<Delivery, 'userId' | 'id' | 'attempts'>,
  leaseMs: number,
): Promise<void> {
  await sql`
    update deliveries set due_at = now() + ${leaseMs} * interval '1 millisecond'
     where user_id = ${userId} and id = ${id} and state = 'waiting' and attempts = ${attempts}`
}

export async function findDelivery(
  sql: Queries,
  { userId, id }: DeliveryKey,
): Promise<Delivery | undefined> {
  const [row] = await sql<Delivery[]>`
    select d.user_id, d.id, d.channel, d.kind, d.details, d.notice_id,
           case when d.channel = 'mail'
           then coalesce(d.address, case when u.email_verified_at is not null then u.email end) end
           as address,
           case when s.id is not null then jsonb_build_object('id', s.id, 'endpoint', s.endpoint,
           'p256dh', s.p256dh, 'auth', s.auth) end as subscription,
           case when w.id is not null then jsonb_build_object('id', w.id, 'address', w.address,
           'isFailing', w.failing_since is not null, 'secrets', array_remove(array[w.secret_sealed,
           case when w.earlier_until > now() then w.earlier_sealed end], null)) end as webhook,
           u.username, u.language, coalesce(n.push_amounts, false) as push_amounts, d.attempts,
           d.created_at
      from deliveries d join users u on u.id = d.user_id
      left join push_subscriptions s on s.user_id = d.user_id and s.id = d.subscription_id
      left join webhooks w on w.user_id = d.user_id and w.id = d.webhook_id
           and w.disabled_at is null
      left join notice_settings n on n.user_id = d.user_id
     where d.user_id = ${userId} and d.id = ${id}`
  return row
}

export async function markSent(
  sql: Queries,
  { userId, id, address }: Pick<Delivery, 'userId' | 'id' | 'address'>,
): Promise<void> {
  await sql`
    update deliveries set state = 'sent', sent_at = now(), address = ${address}
     where user_id = ${userId} and id = ${id} and state = 'waiting'`
}

/** `afterMs`: until the next attempt; undefined to give up. */
export async function postpone(
  sql: Queries,
  { userId, id }: DeliveryKey,
  afterMs: number | undefined,
): Promise<void> {
  await sql`
    update deliveries set state = ${afterMs === undefined ? 'given-up' : 'waiting'},
           due_at = now() + ${afterMs ?? 0} * interval '1 millisecond'
     where user_id = ${userId} and id = ${id} and state = 'waiting'`
}

/** Notes, for `ops doctor`, that the service rejects our request or its signature. */
export async function noteRefusal(
  sql: Queries,
  { userId, id }: DeliveryKey,
  answer: string,
): Promise<void> {
  await sql`
    update deliveries set details = details || jsonb_build_object('refused', ${answer}::text)
     where user_id = ${userId} and id = ${id} and state = 'waiting'`
}

/** `status`: null if there was none. */
export async function noteAnswer(
  sql: Queries,
  { userId, id }: DeliveryKey,
  status: number | null,
): Promise<void> {
  await sql`update deliveries set answer = ${status}::smallint where user_id = ${userId}
    and id = ${id}`
}

/** Answers to push messages that are still waiting, or were given up within two days. */
export async function findRefusals(sql: Queries): Promise<{ answer: string; count: number }[]> {
  return sql<{ answer: string; count: number }[]>`
    select details ->> 'refused' as answer, count(*)::integer as count from deliveries
     where channel = 'push' and state <> 'sent' and details ? 'refused'
       and due_at >= now() - interval '2 days'
     group by 1 order by 2 desc, 1`
}

type AddressOwner = { username: string; language: Language; isReleased: boolean }

/** Another user with this verified address. `isReleased`: that user gave the address up lately. */
export async function findOtherOwner(
  sql: Queries,
  { userId, emailKey }: { userId: string; emailKey: string },
): Promise<AddressOwner | undefined> {
  const [row] = await sql<AddressOwner[]>`
    select u.username, u.language, e.released_at is not null as is_released from emails e
      join users u on u.id = e.user_id
     where e.email_key = ${emailKey} and e.user_id <> ${userId}
       and (e.released_at is null or e.released_at >= now() - ${DISOWN_DAYS}::integer *
           interval '1 day')`
  return row
}

export type DeliveryQuery = { userId?: string; withResets: boolean; limit: number }

/** Sent messages of one user or all, newest first. */
export async function findMailbox(
  sql: Queries,
  { userId, withResets, limit }: DeliveryQuery,
): Promise<(DeliveryKey & { sentAt: Date })[]> {
  return sql<(DeliveryKey & { sentAt: Date })[]>`
    select user_id, id, sent_at from deliveries
     where channel = 'mail' and state = 'sent' and (${userId ?? null}::uuid is null
           or user_id = ${userId ?? null}::uuid)
       and (${withResets} or kind <> 'reset-password')
     order by sent_at desc, id limit ${limit}`
}

/** Numbers of deliveries by channel and state. */
export async function countDeliveries(
  sql: Queries,
): Promise<{ channel: string; state: string; count: number }[]> {
  return sql<{ channel: string; state: string; count: number }[]>`
    select channel, state, count(*)::integer as count from deliveries group by channel, state
     order by channel, state`
}
