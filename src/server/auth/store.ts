import { hash, randomBytes } from 'node:crypto'
import { HOUSE } from '#core/ledger/account.ts'
import type { UserWithBalances } from '#server/action.ts'
import { part, type Queries } from '#server/db/statement.ts'
import { balancesOf } from '#server/holdings/balances.ts'
import type { Sid } from './sid.ts'

/** How long a sign-in lasts. */
const SESSION_DAYS = 30

const hashOf = ({ secret }: Sid): Buffer => hash('sha256', secret, 'buffer')

type NewSession = { id: string; userId: string; userAgent: string; provenBy: string }

/**
 * Opens a session and returns the content of its cookie; the table stores only the hash of its secret.
 * Threat: a sign-in with the old password that runs during a password change would survive the change. The lock makes one wait for the other;
 * returns undefined if `provenBy` is no longer the stored hash.
 */
export async function createSession(sql: Queries, { id, userId, userAgent, provenBy }: NewSession): Promise<Sid | undefined> {
  const sid = { userId, secret: randomBytes(32).toString('base64url') }
  const { count } = await sql`
    insert into sessions (user_id, sid_hash, id, user_agent, expires_at)
    select u.id, ${hashOf(sid)}::bytea, ${id}::uuid, ${userAgent}, now() + ${SESSION_DAYS} * interval '1 day'
      from users u where u.id = ${userId} and u.password = ${provenBy} for share`
  return count === 1 ? sid : undefined
}

export async function findSession(sql: Queries, sid: Sid): Promise<{ id: string; userId: string; isSeenLongAgo: boolean } | undefined> {
  const [row] = await sql<{ id: string; userId: string; isSeenLongAgo: boolean }[]>`
    select s.id, s.user_id, ${isSeenLongAgo} from sessions s
     where s.user_id = ${sid.userId} and s.sid_hash = ${hashOf(sid)} and s.expires_at > now()`
  return row
}

const isSeenLongAgo = part`s.last_seen_at < now() - interval '5 minutes' as is_seen_long_ago`

export async function touchSession(sql: Queries, sid: Sid): Promise<void> {
  await sql`update sessions set last_seen_at = now() where user_id = ${sid.userId} and sid_hash = ${hashOf(sid)}`
}

export type StoredSession = { id: string; userAgent: string; createdAt: Date; lastSeenAt: Date }

/** The active sessions of a user, last used first; at most 100. */
export async function findSessions(sql: Queries, userId: string): Promise<StoredSession[]> {
  return sql<StoredSession[]>`
    select id, user_agent, created_at, last_seen_at from sessions
     where user_id = ${userId} and expires_at > now() order by last_seen_at desc, id desc limit 100`
}

/** Ends one session of this user; false if there is none. */
export async function deleteSessionOf(tx: Queries, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  const { count } = await tx`delete from sessions where user_id = ${userId} and id = ${id}`
  return count === 1
}

/** Ends every session of this user except `except`, and returns how many of them were active. */
export async function deleteSessionsOf(tx: Queries, { userId, except }: { userId: string; except: string | undefined }): Promise<number> {
  const ended = await tx<{ living: boolean }[]>`
    delete from sessions where user_id = ${userId} and id is distinct from ${except ?? null}::uuid returning expires_at > now() as living`
  return ended.filter(({ living }) => living).length
}

export async function deleteSession(sql: Queries, sid: Sid): Promise<void> {
  await sql`delete from sessions where user_id = ${sid.userId} and sid_hash = ${hashOf(sid)}`
}

export async function deleteOldThrottles(sql: Queries): Promise<void> {
  await sql`delete from throttles where window_start < now() - interval '1 day'`
}

export async function deleteEndedSessions(sql: Queries): Promise<void> {
  await sql`delete from sessions where expires_at < now()`
}

const userColumns = part`
           u.id, u.username, u.email, u.first_name, u.last_name, u.profile_image_url, u.created_at, ${balancesOf}`

export async function findUser(sql: Queries, userId: string): Promise<UserWithBalances | undefined> {
  const [user] = await sql<UserWithBalances[]>`select ${userColumns} from users u where u.id = ${userId}`
  return user
}

/** The user of an active session, in one statement instead of `findSession` and `findUser`. */
export async function findSignedInUser(sql: Queries, sid: Sid): Promise<{ user: UserWithBalances; isSeenLongAgo: boolean } | undefined> {
  const [row] = await sql<(UserWithBalances & { isSeenLongAgo: boolean })[]>`
    select ${isSeenLongAgo}, ${userColumns}
      from sessions s join users u on u.id = s.user_id
     where s.user_id = ${sid.userId} and s.sid_hash = ${hashOf(sid)} and s.expires_at > now()`
  if (!row) return undefined
  const { isSeenLongAgo: isSeen, ...user } = row
  return { user, isSeenLongAgo: isSeen }
}

/** The user with this name, as folded by core's `usernameKey`. */
export async function findUserId(sql: Queries, usernameKey: string): Promise<string | undefined> {
  const [row] = await sql<{ userId: string }[]>`select user_id from usernames where username_key = ${usernameKey}`
  return row?.userId
}

/** Threat: timing would reveal names. An unknown name costs the same two lookups: the house's id belongs to no user. */
export async function findCredentials(sql: Queries, usernameKey: string): Promise<{ id: string; password: string } | undefined> {
  const userId = (await findUserId(sql, usernameKey)) ?? HOUSE
  const [row] = await sql<{ id: string; password: string }[]>`select id, password from users where id = ${userId}`
  return row
}

export async function findPassword(sql: Queries, userId: string): Promise<{ username: string; password: string } | undefined> {
  const [row] = await sql<{ username: string; password: string }[]>`select username, password from users where id = ${userId}`
  return row
}

/** False if `from` is no longer the stored hash, because it was changed meanwhile. */
export async function replacePassword(tx: Queries, { userId, from, to }: { userId: string; from: string; to: string }): Promise<boolean> {
  const { count } = await tx`update users set password = ${to}, updated_at = now() where id = ${userId} and password = ${from}`
  return count === 1
}

export async function renameUser(tx: Queries, { userId, firstName, lastName }: { userId: string; firstName: string; lastName: string }): Promise<void> {
  await tx`update users set first_name = ${firstName}, last_name = ${lastName}, updated_at = now() where id = ${userId}`
}

export type NewUser = Pick<UserWithBalances, 'id' | 'username' | 'email' | 'firstName' | 'lastName'> & { usernameKey: string; emailKey: string | null; password: string }

export async function insertUser(tx: Queries, user: NewUser): Promise<void> {
  await tx`
    insert into users (id, username, password, email, first_name, last_name)
    values (${user.id}, ${user.username}, ${user.password}, ${user.email}, ${user.firstName}, ${user.lastName})`
  await tx`insert into usernames (username_key, user_id) values (${user.usernameKey}, ${user.id})`
  if (user.emailKey !== null) await tx`insert into emails (email_key, user_id) values (${user.emailKey}, ${user.id})`
}
