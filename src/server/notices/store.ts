import type {
  NoticeChannel,
  NoticeKind,
  NoticeTopic,
  StoredNoticeDetails,
} from '#core/notices/notice.ts'
import type { Queries } from '#server/db/statement.ts'
import type { Units } from '#core/money/amount.ts'

export type StoredNotice = {
  id: string
  kind: NoticeKind
  details: StoredNoticeDetails
  createdAt: Date
  readAt: Date | null
}

export async function findNotices(
  sql: Queries,
  { userId, before, limit }: { userId: string; before: string | undefined; limit: number },
): Promise<StoredNotice[]> {
  return sql<StoredNotice[]>`
    select id, kind, details, created_at, read_at from notices
     where user_id = ${userId} and in_inbox and (${before ?? null}::uuid is null
           or id < ${before ?? null}::uuid)
     order by id desc limit ${limit}`
}

/** Marks one notice as read, or all up to now. Returns the number that were unread. */
export async function markRead(
  tx: Queries,
  { userId, id }: { userId: string; id: string | undefined },
): Promise<number> {
  const { count } = await tx`
    update notices set read_at = now()
     where user_id = ${userId} and read_at is null and in_inbox
       and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)`
  return count
}

export type Choice = { topic: NoticeTopic; channel: NoticeChannel; isOn: boolean }

export async function findChoices(sql: Queries, userId: string): Promise<Choice[]> {
  return sql<
    Choice[]
  >`select topic, channel, is_on from notice_preferences where user_id = ${userId}`
}

/** False if the account is closed: its choices are erased for good. */
export async function setChoice(
  tx: Queries,
  { userId, topic, channel, isOn }: Choice & { userId: string },
): Promise<boolean> {
  const { count } = await tx`
    insert into notice_preferences (user_id, topic, channel, is_on)
    select id, ${topic}::text, ${channel}::text, ${isOn}::boolean from users
     where id = ${userId} and closed_at is null
    on conflict on constraint notice_preferences_pkey do update set is_on = excluded.is_on`
  return count === 1
}

type StoredSettings = { pushAmounts: boolean; lossLimit: Units | null }

export async function findSettings(sql: Queries, userId: string): Promise<StoredSettings> {
  const [row] = await sql<
    StoredSettings[]
  >`select push_amounts, loss_limit from notice_settings where user_id = ${userId}`
  return row ?? { pushAmounts: false, lossLimit: null }
}

export async function setPushAmounts(
  tx: Queries,
  { userId, pushAmounts }: { userId: string; pushAmounts: boolean },
): Promise<void> {
  await tx`
    insert into notice_settings (user_id, push_amounts) values (${userId}, ${pushAmounts})
    on conflict on constraint notice_settings_pkey do update
   set push_amounts = excluded.push_amounts`
}

/** A new limit can be reported again. */
export async function setLossLimit(
  tx: Queries,
  { userId, lossLimit }: { userId: string; lossLimit: Units | null },
): Promise<void> {
  await tx`
    insert into notice_settings (user_id, loss_limit) values (${userId}, ${lossLimit})
    on conflict on constraint notice_settings_pkey do update set loss_limit = excluded.loss_limit,
       loss_reported = false`
}

type Browser = { userId: string; id: string }

/** Ends a browser's subscription; messages already written are still sent. False without one. */
export async function endSubscription(sql: Queries, { userId, id }: Browser): Promise<boolean> {
  const { count } =
    await sql`update push_subscriptions set ended_at = now() where user_id = ${userId}
      and id = ${id} and ended_at is null`
  return count === 1
}

/** Messages waiting for the browser are given up. */
export async function removeSubscription(sql: Queries, { userId, id }: Browser): Promise<boolean> {
  const { count } =
    await sql`delete from push_subscriptions where user_id = ${userId} and id = ${id}`
  return count === 1
}

type NewSubscription = Browser & {
  endpoint: string
  p256dh: string
  auth: string
  userAgent: string
}

/** Adds a browser, or renews its keys. */
export async function saveSubscription(
  tx: Queries,
  { userId, id, endpoint, p256dh, auth, userAgent }: NewSubscription,
): Promise<void> {
  await tx`
    insert into push_subscriptions (user_id, id, endpoint, p256dh, auth, user_agent)
    values (${userId}, ${id}, ${endpoint}, ${p256dh}, ${auth}, ${userAgent})
    on conflict on constraint push_subscriptions_endpoint do update set p256dh = excluded.p256dh,
       auth = excluded.auth, user_agent = excluded.user_agent, ended_at = null`
}

type StoredSubscription = { id: string; userAgent: string; createdAt: Date }

export async function findSubscriptions(
  sql: Queries,
  userId: string,
): Promise<StoredSubscription[]> {
  return sql<
    StoredSubscription[]
  >`select id, user_agent, created_at from push_subscriptions where user_id = ${userId}
    and ended_at is null order by created_at, id`
}
