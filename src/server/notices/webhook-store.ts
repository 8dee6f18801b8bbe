import type { NoticeKind, NoticeTopic } from '#core/notices/notice.ts'
import { EARLIER_SECRET_HOURS, WEBHOOK_FAILING_DAYS } from '#core/notices/webhook.ts'
import type { Queries } from '#server/db/statement.ts'

type Key = { userId: string; id: string }

type StoredWebhook = {
  id: string
  address: string
  topics: NoticeTopic[]
  createdAt: Date
  failingSince: Date | null
  isOn: boolean
}

export async function findWebhooks(sql: Queries, userId: string): Promise<StoredWebhook[]> {
  return sql<StoredWebhook[]>`
    select id, address, topics, created_at, failing_since, disabled_at is null as is_on
      from webhooks where user_id = ${userId} order by created_at, id`
}

type StoredMessage = {
  id: string
  webhookId: string
  kind: NoticeKind
  state: 'waiting' | 'sent' | 'given-up'
  attempts: number
  answer: number | null
  createdAt: Date
  nextAt: Date | null
}

const SHOWN_MESSAGES = 50

/** Notices have ids in the order of time. */
export async function findMessages(sql: Queries, userId: string): Promise<StoredMessage[]> {
  return sql<StoredMessage[]>`
    select d.id, d.webhook_id, d.kind, d.state, d.attempts, d.answer, d.created_at,
           case when d.state = 'waiting' then d.due_at end as next_at
      from deliveries d join webhooks w on w.user_id = d.user_id and w.id = d.webhook_id
     where d.user_id = ${userId} and d.channel = 'webhook'
     order by d.notice_id desc, w.created_at limit ${SHOWN_MESSAGES}`
}

type Given = Key & { address: string; topics: readonly NoticeTopic[] }

export async function insertWebhook(
  tx: Queries,
  { userId, id, address, topics, secretSealed }: Given & { secretSealed: string },
): Promise<void> {
  await tx`
    insert into webhooks (user_id, id, address, topics, secret_sealed)
    values (${userId}, ${id}, ${address}, ${[...topics]}::text[], ${secretSealed})`
}

/** Also switches the webhook on. False if there is none. */
export async function changeWebhook(
  tx: Queries,
  { userId, id, address, topics }: Given,
): Promise<boolean> {
  const { count } = await tx`
    update webhooks set address = ${address}, topics = ${[...topics]}::text[],
           failing_since = null, disabled_at = null
     where user_id = ${userId} and id = ${id}`
  return count === 1
}

/** For a while, messages are signed with the old secret too. */
export async function changeSecret(
  tx: Queries,
  { userId, id, secretSealed }: Key & { secretSealed: string },
): Promise<void> {
  await tx`
    update webhooks set earlier_sealed = secret_sealed, secret_sealed = ${secretSealed},
           earlier_until = now() + ${EARLIER_SECRET_HOURS}::integer * interval '1 hour'
     where user_id = ${userId} and id = ${id}`
}

/** Returns its address; undefined if there is none. */
export async function deleteWebhook(tx: Queries, { userId, id }: Key): Promise<string | undefined> {
  const [row] = await tx<{ address: string }[]>`
    delete from webhooks where user_id = ${userId} and id = ${id} returning address`
  return row?.address
}

export async function noteTaken(sql: Queries, { userId, id }: Key): Promise<void> {
  await sql`update webhooks set failing_since = null where user_id = ${userId} and id = ${id}`
}

/** True if this switches the webhook off. */
export async function noteFailure(
  tx: Queries,
  { userId, id, isGone }: Key & { isGone: boolean },
): Promise<boolean> {
  await tx`update webhooks set failing_since = now() where user_id = ${userId} and id = ${id}
    and failing_since is null`
  const { count } = await tx`
    update webhooks set disabled_at = now()
     where user_id = ${userId} and id = ${id} and disabled_at is null
       and (${isGone}::boolean or failing_since < now() -
           ${WEBHOOK_FAILING_DAYS}::integer * interval '1 day')`
  return count === 1
}

/**
 * Makes a message due again if it was sent or given up, or has waited for long; leaves one alone
 * that is being sent. False if there is no such message.
 */
export async function makeDue(tx: Queries, { userId, id }: Key): Promise<boolean> {
  await tx`
    update deliveries set state = 'waiting', attempts = 0, due_at = now(), sent_at = null
     where user_id = ${userId} and id = ${id} and channel = 'webhook'
       and (state <> 'waiting' or due_at > now() + interval '1 minute')`
  const { count } = await tx`
    select from deliveries where user_id = ${userId} and id = ${id} and channel = 'webhook'`
  return count === 1
}
