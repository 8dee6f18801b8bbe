import { createHmac, randomBytes } from 'node:crypto'
import { HOUSE } from '#core/ledger/account.ts'
import { Refusal } from '#core/refusal.ts'
import { readAccount, type SignInAccount } from '#server/security/account-seal.ts'
import type { UserWithBalances } from '#server/action.ts'
import type { Book } from '#server/db/book.ts'
import { rows } from '#server/db/rows.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import { balancesOf } from '#server/holdings/balances.ts'
import { isId } from '#server/kernel/ids.ts'
import { deleteKeysOf } from './program-key-store.ts'

const MOST_SESSIONS = 20

type Keyed = { SESSION_SECRET: string }

/** Days without a call after which a session has ended. */
type Idle = { SESSION_IDLE_DAYS: number }

const isActive = ({ SESSION_IDLE_DAYS }: Idle) =>
  part`s.expires_at > now() and s.last_seen_at > now() - ${SESSION_IDLE_DAYS} * interval '1 day'`

/**
 * Threat: somebody who can write to the database inserts a session. So the hash is keyed, with a
 * key outside the database.
 */
const hashOf = ({ userId, secret }: Sid, { SESSION_SECRET }: Keyed): Buffer =>
  createHmac('sha256', SESSION_SECRET).update(`session ${userId} ${secret}`).digest()

type NewSession = { id: string; userId: string; userAgent: string; provenBy: string; days: number }

/**
 * Returns the cookie; undefined if `provenBy` is no longer the stored hash. The table stores only
 * the hash of the cookie's secret. Threat: a sign-in with the old password survives a concurrent
 * password change. So a lock orders both.
 */
export async function createSession(
  sql: Queries,
  { id, userId, userAgent, provenBy, days }: NewSession,
  keyed: Keyed,
): Promise<Sid | undefined> {
  const sid = { userId, secret: randomBytes(32).toString('base64url') }
  const { count } = await sql`
    insert into sessions (user_id, sid_hash, id, user_agent, expires_at)
    select u.id, ${hashOf(sid, keyed)}::bytea, ${id}::uuid, ${userAgent},
           now() + ${days} * interval '1 day'
      from users u where u.id = ${userId} and u.password = ${provenBy} and u.closed_at is null
       for share`
  if (count !== 1) return undefined
  await sql`
    delete from sessions where user_id = ${userId} and id in (
      select id from sessions where user_id = ${userId} order by last_seen_at desc,
             id desc offset ${MOST_SESSIONS})`
  return sid
}

export async function findSession(
  sql: Queries,
  sid: Sid,
  config: Idle & Keyed,
): Promise<{ id: string; userId: string; isSeenLongAgo: boolean } | undefined> {
  const [row] = await sql<{ id: string; userId: string; isSeenLongAgo: boolean }[]>`
    select s.id, s.user_id, ${isSeenLongAgo} from sessions s
     where s.user_id = ${sid.userId} and s.sid_hash = ${hashOf(sid, config)}
       and ${isActive(config)}`
  return row
}

export async function isNewSession(
  sql: Queries,
  {
    userId,
    sessionId,
    seconds,
  }: { userId: string; sessionId: string | undefined; seconds: number },
): Promise<boolean> {
  const { count } = await sql`
    select id from sessions where user_id = ${userId} and id = ${sessionId ?? null}::uuid
       and created_at > now() - ${seconds} * interval '1 second'`
  return count === 1
}

/**
 * Locks the user's row, then refuses if the session has ended. Threat: a thief's call that began
 * before the owner locked the account adds a factor afterwards.
 */
export async function refuseEnded(
  tx: Queries,
  { userId, sessionId }: { userId: string; sessionId: string | undefined },
): Promise<void> {
  const rows =
    await tx`select id from sessions where user_id = ${userId} and id = ${sessionId ?? null}::uuid`
  if (rows.length === 0) throw new Refusal('not-signed-in')
}

export async function findActive(
  sql: Queries,
  sessions: readonly { id: string; userId: string }[],
  idle: Idle,
): Promise<Set<string>> {
  const active = await sql<{ id: string }[]>`
    select s.id from sessions s join ${rows(sessions, { user_id: 'uuid', id: 'uuid' })}
           on given.user_id = s.user_id and given.id = s.id
     where ${isActive(idle)}`
  return new Set(active.map(({ id }) => id))
}

const isSeenLongAgo = part`s.last_seen_at < now() - interval '5 minutes' as is_seen_long_ago`

export async function touchSession(sql: Queries, sid: Sid, keyed: Keyed): Promise<void> {
  await sql`update sessions set last_seen_at = now() where user_id = ${sid.userId}
    and sid_hash = ${hashOf(sid, keyed)}`
}

export type StoredSession = { id: string; userAgent: string; createdAt: Date; lastSeenAt: Date }

/** A user's active sessions, most recently used first. */
export async function findSessions(
  sql: Queries,
  userId: string,
  idle: Idle,
): Promise<StoredSession[]> {
  return sql<StoredSession[]>`
    select s.id, s.user_agent, s.created_at, s.last_seen_at from sessions s
     where s.user_id = ${userId} and ${isActive(idle)} order by s.last_seen_at desc, s.id desc
     limit ${MOST_SESSIONS}`
}

type StoredSignIn = { id: string; action: string; browser: string; createdAt: Date }

/** The latest of these events of a user, from the audit trail; at most 50. */
export async function findSignIns(
  sql: Queries,
  { userId, actions }: { userId: string; actions: readonly string[] },
): Promise<StoredSignIn[]> {
  return sql<StoredSignIn[]>`
    select id, action, details ->> 'browser' as browser, created_at from audit_events
     where subject = ${userId} and action = any(${actions}) order by created_at desc, id desc
     limit 50`
}

export async function deleteSessionOf(
  tx: Queries,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const { count } = await tx`delete from sessions where user_id = ${userId} and id = ${id}`
  return count === 1
}

/**
 * Deletes all sessions of a user but `except`. Without `except`, it also deletes the keys for
 * programs. Threat: whoever took over the account would keep a key. Returns how many of the deleted
 * sessions were active.
 */
export async function deleteSessionsOf(
  tx: Queries,
  { userId, except }: { userId: string; except: string | undefined },
): Promise<number> {
  if (except === undefined) await deleteKeysOf(tx, userId)
  await tx`delete from sessions where user_id = ${userId} and expires_at <= now()`
  const { count } = await tx`
    delete from sessions where user_id = ${userId} and id is distinct from ${except ?? null}::uuid`
  return count
}

export async function deleteSession(
  sql: Queries,
  sid: Sid,
  keyed: Keyed,
): Promise<string | undefined> {
  const [ended] = await sql<
    { id: string }[]
  >`delete from sessions where user_id = ${sid.userId} and sid_hash = ${hashOf(sid, keyed)}
    returning id`
  return ended?.id
}

export async function deleteOldThrottles(sql: Queries): Promise<void> {
  await sql`delete from throttles where window_start < now() - interval '1 day'`
}

export async function deleteEndedSessions(sql: Queries, idle: Idle): Promise<void> {
  await sql`delete from sessions s where not (${isActive(idle)})`
}

const userColumns = (user: Fragment) => part`
           u.id, u.username, u.email, u.first_name, u.last_name, u.profile_image_url, u.created_at,
           u.email_verified_at is not null as email_verified, u.pending_email,
           ${balancesOf(user)},
           (select count(*)::integer from (select from notices n where n.user_id = ${user}
           and n.read_at is null and n.in_inbox limit 99) unread) as unread_notices`

export async function findUser(
  sql: Queries,
  userId: string,
): Promise<UserWithBalances | undefined> {
  const [user] = await sql<
    UserWithBalances[]
  >`select ${userColumns(part`${userId}::uuid`)} from users u
    where u.id = ${userId}`
  return user
}

export async function findSignedInUser(
  sql: Queries,
  sid: Sid,
  config: Idle & Keyed,
): Promise<{ user: UserWithBalances; isSeenLongAgo: boolean } | undefined> {
  const [row] = await sql<(UserWithBalances & { isSeenLongAgo: boolean })[]>`
    select ${isSeenLongAgo}, ${userColumns(part`${sid.userId}::uuid`)}
      from sessions s join users u on u.id = s.user_id
     where s.user_id = ${sid.userId} and s.sid_hash = ${hashOf(sid, config)}
       and ${isActive(config)}`
  if (!row) return undefined
  const { isSeenLongAgo: isSeen, ...user } = row
  return { user, isSeenLongAgo: isSeen }
}

export async function findUserId(sql: Queries, usernameKey: string): Promise<string | undefined> {
  const [row] = await sql<
    { userId: string }[]
  >`select user_id from usernames where username_key = ${usernameKey}`
  return row?.userId
}

/**
 * Threat: timing reveals which names exist. So an unknown name costs the same two look-ups, made
 * with the house's id.
 */
export async function findCredentials(
  book: Book,
  usernameKey: string,
): Promise<(SignInAccount & { id: string }) | undefined> {
  const id = (await findUserId(book.sql, usernameKey)) ?? HOUSE
  const account = await readAccount(book, id)
  return account && { ...account, id }
}

/** False if the stored hash is no longer `from`. */
export async function replacePassword(
  tx: Queries,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<boolean> {
  const { count } =
    await tx`update users set password = ${to}, updated_at = now() where id = ${userId}
      and password = ${from}`
  return count === 1
}

export async function renameUser(
  tx: Queries,
  { userId, firstName, lastName }: { userId: string; firstName: string; lastName: string },
): Promise<void> {
  await tx`update users set first_name = ${firstName}, last_name = ${lastName}, updated_at = now()
    where id = ${userId}`
}

export type NewUser = Pick<
  UserWithBalances,
  'id' | 'username' | 'email' | 'firstName' | 'lastName'
> & { usernameKey: string; password: string; language: string }

export async function insertUser(tx: Queries, user: NewUser): Promise<void> {
  await tx`
    insert into users (id, username, password, email, first_name, last_name, language)
    values (${user.id}, ${user.username}, ${user.password}, ${user.email}, ${user.firstName},
           ${user.lastName}, ${user.language})`
  await tx`insert into usernames (username_key, user_id) values (${user.usernameKey}, ${user.id})`
}

/**
 * The content of a session cookie. The user id only limits the look-up to that user's sessions; the
 * secret proves the session.
 */
export type Sid = { userId: string; secret: string }

export const sidText = ({ userId, secret }: Sid): string => `${userId}.${secret}`

/** Undefined if the text is malformed. */
export function readSid(text: string | undefined): Sid | undefined {
  const [userId = '', secret = '', ...rest] = text?.split('.', 3) ?? []
  return isId(userId) && SECRET.test(secret) && rest.length === 0 ? { userId, secret } : undefined
}

/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/
