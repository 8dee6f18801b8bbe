import { createHash, randomBytes } from 'node:crypto'
import type { Queries } from '#server/db/open.ts'

/** How long a sign-in lasts. */
const SESSION_DAYS = 30

export type StoredUser = {
  id: string
  username: string
  email: string | null
  firstName: string
  lastName: string
  profileImageUrl: string | null
  createdAt: Date
}

const hashOf = (sid: string): Buffer => createHash('sha256').update(sid).digest()

/** Opens a session and returns the secret id for the cookie; the table keeps its hash alone. */
export async function createSession(sql: Queries, { userId, userAgent }: { userId: string; userAgent: string }): Promise<string> {
  const sid = randomBytes(32).toString('base64url')
  await sql`
    insert into sessions (sid_hash, user_id, user_agent, expires_at)
    values (${hashOf(sid)}, ${userId}, ${userAgent.slice(0, 300)}, now() + ${SESSION_DAYS} * interval '1 day')`
  return sid
}

export async function findSessionUser(sql: Queries, sid: string): Promise<string | undefined> {
  const [row] = await sql<{ userId: string }[]>`select user_id from sessions where sid_hash = ${hashOf(sid)} and expires_at > now()`
  return row?.userId
}

export async function deleteSession(sql: Queries, sid: string): Promise<void> {
  await sql`delete from sessions where sid_hash = ${hashOf(sid)}`
}

export async function deleteOldThrottles(sql: Queries): Promise<void> {
  await sql`delete from throttles where window_start < now() - interval '1 day'`
}

export async function deleteEndedSessions(sql: Queries): Promise<void> {
  await sql`delete from sessions where expires_at < now()`
}

export async function findUser(sql: Queries, userId: string): Promise<StoredUser | undefined> {
  const [user] = await sql<StoredUser[]>`
    select id, username, email, first_name, last_name, profile_image_url, created_at from users where id = ${userId}`
  return user
}

export async function findCredentials(sql: Queries, usernameKey: string): Promise<{ id: string; password: string } | undefined> {
  const [row] = await sql<{ id: string; password: string }[]>`select id, password from users where username_key = ${usernameKey}`
  return row
}

export type NewUser = Omit<StoredUser, 'profileImageUrl' | 'createdAt'> & { usernameKey: string; emailKey: string | null; password: string }

export async function insertUser(tx: Queries, user: NewUser): Promise<void> {
  await tx`
    insert into users (id, username, username_key, password, email, email_key, first_name, last_name)
    values (${user.id}, ${user.username}, ${user.usernameKey}, ${user.password}, ${user.email}, ${user.emailKey}, ${user.firstName}, ${user.lastName})`
}
