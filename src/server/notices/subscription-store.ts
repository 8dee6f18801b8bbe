import type { Queries } from '#server/db/statement.ts'

type Browser = { userId: string; id: string }

/** Messages that wait for the browser find none, and are given up. */
export async function removeSubscription(sql: Queries, { userId, id }: Browser): Promise<boolean> {
  const { count } = await sql`delete from push_subscriptions where user_id = ${userId} and id = ${id}`
  return count === 1
}

type NewSubscription = Browser & { endpoint: string; p256dh: string; auth: string; userAgent: string }

/** Adds a browser, or renews its keys. */
export async function saveSubscription(tx: Queries, { userId, id, endpoint, p256dh, auth, userAgent }: NewSubscription): Promise<void> {
  await tx`
    insert into push_subscriptions (user_id, id, endpoint, p256dh, auth, user_agent)
    values (${userId}, ${id}, ${endpoint}, ${p256dh}, ${auth}, ${userAgent})
    on conflict on constraint push_subscriptions_endpoint do update set p256dh = excluded.p256dh, auth = excluded.auth, user_agent = excluded.user_agent`
}

export type StoredSubscription = { id: string; userAgent: string; createdAt: Date }

export async function findSubscriptions(sql: Queries, userId: string): Promise<StoredSubscription[]> {
  return sql<StoredSubscription[]>`select id, user_agent, created_at from push_subscriptions where user_id = ${userId} order by created_at, id`
}
