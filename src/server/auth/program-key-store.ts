import { timingSafeEqual } from 'node:crypto'
import type { KeyLimits, KeyRights, KeyScope } from '#core/auth/program-key.ts'
import type { Units } from '#core/money/amount.ts'
import { part, type Queries } from '#server/db/statement.ts'
import type { Config } from '#server/settings/config.ts'
import { keyHashOf, type KeyToken } from './program-key.ts'

type OfUser = { userId: string; id: string }

type Row = OfUser & {
  scope: KeyScope
  networks: string[]
  mostBots: number | null
  dailyAmount: Units | null
  expiresAt: Date
}

const RIGHTS = part`
  k.user_id, k.id, k.scope, k.networks, k.most_bots, k.daily_amount, k.expires_at`

const limitsOf = ({ mostBots, dailyAmount }: Row): KeyLimits | undefined =>
  mostBots === null || dailyAmount === null ? undefined : { mostBots, dailyAmount }

export type FoundKey = KeyRights & { isUsedLongAgo: boolean }

/** The key of a token, if it is valid. */
export async function findKey(
  sql: Queries,
  { userId, id, secret }: KeyToken,
  config: Pick<Config, 'SESSION_SECRET'>,
): Promise<FoundKey | undefined> {
  const [row] = await sql<(Row & { keyHash: Buffer; isUsedLongAgo: boolean })[]>`
    select ${RIGHTS}, k.key_hash, coalesce(k.last_used_at < now() - interval '5 minutes', true)
           as is_used_long_ago
      from program_keys k join users u on u.id = k.user_id
     where k.user_id = ${userId} and k.id = ${id} and k.expires_at > now()
       and u.closed_at is null`
  if (!row) return undefined
  const { keyHash, ...rights } = { ...row, limits: limitsOf(row) }
  return timingSafeEqual(keyHash, keyHashOf(rights, secret, config)) ? rights : undefined
}

export async function touchKey(sql: Queries, { userId, id }: OfUser): Promise<void> {
  await sql`update program_keys set last_used_at = now() where user_id = ${userId} and id = ${id}`
}

type StoredKey = Row & { name: string; createdAt: Date; lastUsedAt: Date | null }

/** A user's valid keys, newest first. */
export async function findKeys(sql: Queries, userId: string): Promise<StoredKey[]> {
  return sql<StoredKey[]>`
    select ${RIGHTS}, k.name, k.created_at, k.last_used_at from program_keys k
     where k.user_id = ${userId} and k.expires_at > now() order by k.created_at desc, k.id desc`
}

export async function insertKey(
  tx: Queries,
  {
    userId,
    id,
    scope,
    networks,
    limits,
    expiresAt,
    name,
    hash,
  }: KeyRights & {
    name: string
    hash: Buffer
  },
): Promise<void> {
  await tx`
    insert into program_keys (user_id, id, key_hash, name, scope, networks, most_bots,
           daily_amount, expires_at)
    values (${userId}, ${id}, ${hash}, ${name}, ${scope}, ${[...networks]},
           ${limits?.mostBots ?? null}, ${limits?.dailyAmount ?? null}, ${expiresAt})`
}

/** Returns the deleted key's name; undefined if there is no such key. */
export async function deleteKey(tx: Queries, { userId, id }: OfUser): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    delete from program_keys where user_id = ${userId} and id = ${id} returning name`
  return row?.name
}

export async function deleteKeysOf(tx: Queries, userId: string): Promise<void> {
  await tx`delete from program_keys where user_id = ${userId}`
}

export async function deleteExpiredKeys(sql: Queries): Promise<void> {
  await sql`delete from program_keys where expires_at <= now()`
}

/** Locks a key; false if it was revoked meanwhile. */
export async function lockKey(tx: Queries, { userId, id }: OfUser): Promise<boolean> {
  const { count } = await tx`
    select id from program_keys where user_id = ${userId} and id = ${id} for no key update`
  return count === 1
}

export async function insertKeyBot(
  tx: Queries,
  { userId, id, botId, amount }: OfUser & { botId: string; amount: Units },
): Promise<void> {
  await tx`
    insert into program_key_bots (user_id, key_id, bot_id, amount)
    values (${userId}, ${id}, ${botId}, ${amount})`
}

/** The open bots that a key made, and the money that it put into bots within 24 hours. */
export async function findKeyUse(
  tx: Queries,
  { userId, id }: OfUser,
): Promise<{ bots: number; amount: Units } | undefined> {
  const [row] = await tx<{ bots: number; amount: Units }[]>`
    select count(*) filter (where b.status <> 'closed')::integer as bots,
           coalesce(sum(k.amount) filter (where k.created_at > now() - interval '1 day'), 0)::bigint
           as amount
      from program_key_bots k join trading_bots b on b.user_id = k.user_id and b.id = k.bot_id
     where k.user_id = ${userId} and k.key_id = ${id}`
  return row
}
