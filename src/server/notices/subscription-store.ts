import type { Queries } from '#server/db/statement.ts'

type Browser = { userId: string; id: string }

/**
 * Ends the messages to a browser; those that were written before are still sent. False if there is
 * none.
 */
export async function endSubscription(sql: Queries, { userId, id }: Browser): Promise<boolean> {
  const { count } =
    await sql`update push_subscriptions set ended_at = now() where user_id = ${userId}
      and id = ${id} and ended_at is null`
  return count === 1
}

/** Messages that wait for the browser find none, and are given up. */
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

export type StoredSubscription = { id: string; userAgent: string; createdAt: Date }

export async function findSubscriptions(
  sql: Queries,
  userId: string,
): Promise<StoredSubscription[]> {
  return sql<
    StoredSubscription[]
  >`select id, user_agent, created_at from push_subscriptions where user_id = ${userId}
    and ended_at is null order by created_at, id`
}
