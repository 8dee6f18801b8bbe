import {
  isFixed,
  isOnByDefault,
  NOTICE_KINDS,
  type NoticeChannel,
  type NoticeDetails,
  type NoticeKind,
  type StoredNoticeDetails,
} from '#core/notices/notice.ts'
import { publish } from '#server/events/bus.ts'
import { newId } from '#server/kernel/ids.ts'
import { newRows } from '#server/db/rows.ts'
import type { Queries } from '#server/db/statement.ts'
import type { Channel } from './delivery-store.ts'
import type { MailKind } from './link.ts'
import { language } from '#words/language.ts'

export type NewNotice = {
  userId: string
  kind: NoticeKind
  /** Names the event among those of its user: the same event twice is one notice. */
  event: string
  details?: StoredNoticeDetails
  /** Addresses that receive this message too, even if they are no longer the user's. */
  alsoTo?: readonly string[]
}

/**
 * Writes notices in the transaction of their event, with a row of the outbox for each address,
 * browser and webhook. Three statements, however many notices.
 */
export async function notify(tx: Queries, ...notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return
  const readers = await findReaders(tx, [...new Set(notices.map(({ userId }) => userId))])
  const rows = notices.map((notice): Row => {
    const topic = NOTICE_KINDS[notice.kind]
    const wants = (channel: NoticeChannel) =>
      isFixed(topic) ||
      (readers.get(notice.userId)?.choices.get(`${topic} ${channel}`) ??
        isOnByDefault(topic, channel))
    return { ...notice, id: newId(), isUrgent: isFixed(topic), wants }
  })
  const written = new Set(await insertNotices(tx, rows))
  await insertDeliveries(
    tx,
    rows
      .filter(({ id }) => written.has(id))
      .flatMap((row) => addressesOf(row, readers.get(row.userId)).map((to) => ({ ...row, ...to }))),
  )
  await publish(tx, { name: 'notices', userIds: [...readers.keys()] })
}

type Row = NewNotice & { id: string; isUrgent: boolean; wants: (channel: NoticeChannel) => boolean }
type Address = {
  channel: Channel
  address?: string
  subscriptionId?: string
  webhookId?: string
}

/**
 * `choices`: by topic and channel. `email`: null until it is verified. `webhooks`: their topics.
 */
type Reader = {
  email: string | null
  choices: Map<string, boolean>
  subscriptionIds: Set<string>
  webhooks: Map<string, readonly string[]>
}

async function findReaders(tx: Queries, userIds: readonly string[]): Promise<Map<string, Reader>> {
  const rows = await tx<
    {
      userId: string
      email: string | null
      topic: string | null
      channel: string | null
      isOn: boolean | null
      subscriptionId: string | null
      webhookTopics: string[] | null
    }[]
  >`
    select u.id as user_id, case when u.email_verified_at is not null then u.email end as email,
           p.topic, p.channel, p.is_on, s.id as subscription_id, s.topics as webhook_topics
      from users u
      left join notice_preferences p on p.user_id = u.id
      left join (
        select user_id, id, null::text[] as topics from push_subscriptions where ended_at is null
        union all select user_id, id, topics from webhooks where disabled_at is null
      ) s on s.user_id = u.id
     where u.id = any(${[...userIds]}::uuid[])`
  const readers = new Map<string, Reader>()
  for (const { userId, email, topic, channel, isOn, subscriptionId, webhookTopics } of rows) {
    const reader = readers.get(userId) ?? {
      email,
      choices: new Map<string, boolean>(),
      subscriptionIds: new Set<string>(),
      webhooks: new Map<string, readonly string[]>(),
    }
    readers.set(userId, reader)
    if (isOn !== null) reader.choices.set(`${topic} ${channel}`, isOn)
    if (subscriptionId === null) continue
    if (webhookTopics === null) reader.subscriptionIds.add(subscriptionId)
    else reader.webhooks.set(subscriptionId, webhookTopics)
  }
  return readers
}

/**
 * The user's addresses and browsers now. Threat: with a look-up at the time of sending, a thief who
 * changes the address at once would get the owner's earlier messages.
 */
function addressesOf({ kind, wants, alsoTo = [] }: Row, reader: Reader | undefined): Address[] {
  const { email = null, subscriptionIds = [], webhooks = [] } = reader ?? {}
  const emails = new Set([...(wants('mail') && email !== null ? [email] : []), ...alsoTo])
  return [
    ...[...emails].map((address) => ({ channel: 'mail' as const, address })),
    ...(wants('push')
      ? [...subscriptionIds].map((subscriptionId) => ({ channel: 'push' as const, subscriptionId }))
      : []),
    ...[...webhooks]
      .filter(([, topics]) => topics.includes(NOTICE_KINDS[kind]))
      .map(([webhookId]) => ({ channel: 'webhook' as const, webhookId })),
  ]
}

/** Returns the ids of new events. */
async function insertNotices(tx: Queries, rows: readonly Row[]): Promise<string[]> {
  const written = await tx<{ id: string }[]>`
    insert into notices ${newRows(rows, {
      user_id: 'uuid',
      id: 'uuid',
      kind: 'text',
      event_key: ['text', ({ event }) => event],
      details: ['jsonb', ({ details = {} }) => details],
      in_inbox: ['boolean', ({ wants }) => wants('inbox')],
    })}
    on conflict on constraint notices_event do nothing
    returning id`
  return written.map(({ id }) => id)
}

async function insertDeliveries(tx: Queries, rows: readonly (Row & Address)[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    insert into deliveries ${newRows(rows, {
      user_id: 'uuid',
      channel: 'text',
      notice_id: ['uuid', ({ id }) => id],
      kind: 'text',
      details: ['jsonb', ({ details = {} }) => details],
      is_urgent: 'boolean',
      address: ['text', ({ address }) => address],
      subscription_id: ['uuid', ({ subscriptionId }) => subscriptionId],
      webhook_id: ['uuid', ({ webhookId }) => webhookId],
    })}`
}

type NewMail = { userId: string; kind: MailKind; address: string; details?: NoticeDetails }

/** Writes a message without a place in the inbox, in the transaction of its event. */
export async function writeMail(
  tx: Queries,
  { userId, kind, address, details = {} }: NewMail,
): Promise<void> {
  await tx`
    insert into deliveries (user_id, channel, kind, details, is_urgent, address)
    values (${userId}, 'mail', ${kind}, ${JSON.stringify(details)}::text::jsonb, true, ${address})`
}

/**
 * Messages are written later, without a request: in the language in which the user last signed in
 * or read notices.
 */
export async function rememberLanguage(sql: Queries, userId: string): Promise<void> {
  await sql`update users set language = ${language()} where id = ${userId}
    and language <> ${language()}`
}
