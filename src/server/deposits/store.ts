import type { PaymentState } from '#core/deposits/settlement.ts'
import type { Units } from '#core/money/amount.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { debtors } from '#server/ledger/read.ts'

export type StoredIntent = PaymentState & {
  id: string
  userId: string
  provider: string
  status: 'open' | 'succeeded' | 'abandoned'
  revision: number
}
type NewIntent = { id: string; userId: string; provider: string; amount: Units }

/** Does nothing if the provider's webhook has inserted it already. */
export async function insertIntent(sql: Queries, intent: NewIntent): Promise<void> {
  await sql`
    insert into payment_intents (user_id, id, provider, amount)
    values (${intent.userId}, ${intent.id}, ${intent.provider}, ${intent.amount})
    on conflict on constraint payment_intents_pkey do nothing`
}

/**
 * Like `insertIntent`, for a user id that comes from the provider: false if no such user exists.
 */
export async function adoptIntent(sql: Queries, intent: NewIntent): Promise<boolean> {
  const [user] = await sql`select from users where id = ${intent.userId}`
  if (user) await insertIntent(sql, intent)
  return user !== undefined
}

const intentColumns = part`id, user_id, provider, status, received, refunded, disputed, revision`

/** Finds an intent by id alone, because the provider does not name the user. */
export async function findIntent(sql: Queries, id: string): Promise<StoredIntent | undefined> {
  const [row] = await sql<
    StoredIntent[]
  >`select ${intentColumns} from payment_intents where id = ${id}`
  return row
}

/** Includes the user id, so that no user can reach another user's payment. */
export type IntentKey = { userId: string; id: string }

export async function findIntentOf(
  sql: Queries,
  { userId, id }: IntentKey,
): Promise<StoredIntent | undefined> {
  const [row] = await sql<
    StoredIntent[]
  >`select ${intentColumns} from payment_intents where user_id = ${userId} and id = ${id}`
  return row
}

export async function lockIntent(
  tx: Queries,
  { userId, id }: IntentKey,
): Promise<StoredIntent | undefined> {
  const [row] = await tx<StoredIntent[]>`
    select ${intentColumns} from payment_intents where user_id = ${userId} and id = ${id} for no key
    update`
  return row
}

type Settled = IntentKey & { received: Units; refunded: Units; disputed: Units }

export async function markSettled(
  tx: Queries,
  { userId, id, received, refunded, disputed }: Settled,
): Promise<void> {
  const after = part`refunded = ${refunded}, disputed = ${disputed}, revision = revision + 1`
  const { count } = await tx`
    update payment_intents set status = 'succeeded', received = ${received}, credited_at = now(),
           ${after}
     where user_id = ${userId} and id = ${id} and credited_at is null`
  if (count === 0)
    await tx`update payment_intents set ${after} where user_id = ${userId} and id = ${id}`
}

type OpenIntent = IntentKey & { isOld: boolean }

const isDue = part`status = 'open' and (asked_at is null or asked_at < now() - interval '1 minute')`

/** The least recently polled first. An intent is old after `abandonAfterHours`. */
export async function findOpenIntents(
  sql: Queries,
  {
    provider,
    limit,
    abandonAfterHours,
  }: { provider: string; limit: number; abandonAfterHours: number },
): Promise<OpenIntent[]> {
  return sql<OpenIntent[]>`
    select user_id, id, created_at < now() - ${abandonAfterHours} * interval '1 hour' as is_old
      from payment_intents
     where ${isDue} and provider = ${provider} and created_at < now() - interval '1 minute'
     order by asked_at nulls first, created_at limit ${limit}`
}

export async function findOpenIntentsOf(
  sql: Queries,
  { userId, provider }: { userId: string; provider: string },
): Promise<{ id: string }[]> {
  return sql<
    { id: string }[]
  >`select id from payment_intents where user_id = ${userId} and provider = ${provider}
    and status = 'open'`
}

/** Marks an intent as polled now; false if another process was first. */
export async function takeOpenIntent(sql: Queries, { userId, id }: IntentKey): Promise<boolean> {
  const { count } =
    await sql`update payment_intents set asked_at = now() where user_id = ${userId} and id = ${id}
      and ${isDue}`
  return count === 1
}

export async function markAbandoned(sql: Queries, { userId, id }: IntentKey): Promise<void> {
  await sql`update payment_intents set status = 'abandoned' where user_id = ${userId} and id = ${id}
    and status = 'open'`
}

/** Undefined before the provider's event list was first read. */
export async function findEventsSeen(sql: Queries, provider: string): Promise<Date | undefined> {
  const [row] = await sql<
    { seenUntil: Date }[]
  >`select seen_until from provider_events_seen where provider = ${provider}`
  return row?.seenUntil
}

export async function setEventsSeen(
  sql: Queries,
  { provider, until }: { provider: string; until: Date },
): Promise<void> {
  await sql`
    insert into provider_events_seen (provider, seen_until) values (${provider}, ${until})
    on conflict on constraint provider_events_seen_pkey do update
   set seen_until = greatest(provider_events_seen.seen_until, excluded.seen_until)`
}

/** Users with a debt and with cash to pay it. */
export async function findDebtorsWithCash(sql: Queries): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    select debtor.user_id from ${debtors} debtor join ledger_accounts cash
           on cash.user_id = debtor.user_id and cash.code = 'customer:cash'
     where cash.balance > 0 limit 500`
  return rows.map(({ userId }) => userId)
}

/**
 * Deposits of the last `ms` milliseconds, less refunds and disputes. Uses the database's clock: a
 * machine's clock may be wrong.
 */
export async function findDepositsWithin(
  sql: Queries,
  { userId, ms }: { userId: string; ms: number },
): Promise<{ amount: Units; creditedAt: Date }[]> {
  return sql<{ amount: Units; creditedAt: Date }[]>`
    select received - refunded - disputed as amount, credited_at from payment_intents
     where user_id = ${userId} and credited_at > now() - ${ms} * interval '1 millisecond'
       and received > refunded + disputed order by credited_at`
}
