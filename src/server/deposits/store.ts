import type { Units } from '#core/money/amount.ts'
import type { Queries } from '#server/db/open.ts'

export type StoredIntent = { id: string; userId: string; amount: Units; status: 'open' | 'succeeded'; received: Units | null }

export async function insertIntent(sql: Queries, intent: { id: string; userId: string; provider: string; amount: Units }): Promise<void> {
  await sql`insert into payment_intents (id, user_id, provider, amount) values (${intent.id}, ${intent.userId}, ${intent.provider}, ${intent.amount})`
}

export async function findIntent(sql: Queries, id: string): Promise<StoredIntent | undefined> {
  const [row] = await sql<StoredIntent[]>`select id, user_id, amount, status, received from payment_intents where id = ${id}`
  return row
}

export async function lockIntent(tx: Queries, id: string): Promise<StoredIntent | undefined> {
  const [row] = await tx<StoredIntent[]>`select id, user_id, amount, status, received from payment_intents where id = ${id} for no key update`
  return row
}

export async function markIntentSucceeded(tx: Queries, id: string, received: Units): Promise<void> {
  await tx`update payment_intents set status = 'succeeded', received = ${received}, credited_at = clock_timestamp() where id = ${id}`
}

/** Intents that the provider may have been paid for while nobody asked. */
export async function findOpenIntents(sql: Queries): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from payment_intents
     where status = 'open' and created_at between now() - interval '7 days' and now() - interval '1 minute'
     order by created_at limit 500`
  return rows.map(({ id }) => id)
}
