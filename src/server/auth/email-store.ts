import { emailKey } from '#core/auth/credentials.ts'
import type { NoticeDetails } from '#core/notices/notice.ts'
import type { Queries } from '#server/db/statement.ts'
import type { MailKind } from '#server/notices/link.ts'

export type StoredEmail = { email: string | null; isVerified: boolean; pendingEmail: string | null }

/** Locks the user, so that two changes of the address follow one another. */
export async function lockEmail(tx: Queries, userId: string): Promise<StoredEmail | undefined> {
  const [row] = await tx<StoredEmail[]>`
    select email, email_verified_at is not null as is_verified, pending_email from users where id = ${userId} for no key update`
  return row
}

/** The address that is to be verified: the user's own as long as it is not, else the one that will take its place. */
export async function setUnverified(tx: Queries, { userId, email, isVerified }: { userId: string; email: string; isVerified: boolean }): Promise<void> {
  if (isVerified) await tx`update users set pending_email = ${email}, updated_at = now() where id = ${userId}`
  else await tx`update users set email = ${email}, pending_email = null, updated_at = now() where id = ${userId}`
}

/** Gives the user an address that is verified; false if it is another user's by now. */
export async function setVerified(tx: Queries, { userId, email }: { userId: string; email: string }): Promise<boolean> {
  const key = emailKey(email)
  const { count } = await tx`
    insert into emails as known (email_key, user_id) values (${key}, ${userId})
    on conflict (email_key) do update set user_id = excluded.user_id where known.user_id = excluded.user_id`
  if (count === 0) return false
  await tx`delete from emails where user_id = ${userId} and email_key <> ${key}`
  await tx`update users set email = ${email}, email_verified_at = now(), pending_email = null, updated_at = now() where id = ${userId}`
  return true
}

export async function forgetPending(tx: Queries, userId: string): Promise<void> {
  await tx`update users set pending_email = null where id = ${userId}`
}

/** `since`: when it was written, to the microsecond, which a Date does not hold. */
export type LinkedMessage = { kind: MailKind; address: string | null; details: NoticeDetails; since: string }

/** The message with this link, marked as used; undefined if the link was used, or is older than `hours`. */
export async function useLink(tx: Queries, { userId, id }: { userId: string; id: string }, hours: number): Promise<LinkedMessage | undefined> {
  const [row] = await tx<LinkedMessage[]>`
    update deliveries set link_used_at = now()
     where user_id = ${userId} and id = ${id} and link_used_at is null and created_at > now() - ${hours}::integer * interval '1 hour'
    returning kind, address, details, created_at::text as since`
  return row
}

/** Whether a link could be used now, without using it. */
export async function isOpenLink(sql: Queries, { userId, id }: { userId: string; id: string }, hours: number): Promise<boolean> {
  const rows = await sql`
    select from deliveries where user_id = ${userId} and id = ${id} and link_used_at is null and created_at > now() - ${hours}::integer * interval '1 hour'`
  return rows.length > 0
}

/** Links of these kinds work no more. */
export async function closeLinks(tx: Queries, { userId, kinds }: { userId: string; kinds: readonly MailKind[] }): Promise<void> {
  await tx`update deliveries set link_used_at = now() where user_id = ${userId} and kind = any(${[...kinds]}::text[]) and link_used_at is null`
}

/** No link that was sent to another address works any more. */
export async function closeLinksOfOthers(tx: Queries, { userId, address }: { userId: string; address: string }): Promise<void> {
  await tx`
    update deliveries set link_used_at = now()
     where user_id = ${userId} and channel = 'mail' and link_used_at is null and address is distinct from ${address}`
}

/** Stops the password: nobody's text has this hash. */
export async function stopPassword(tx: Queries, { userId, unusable }: { userId: string; unusable: string }): Promise<void> {
  await tx`update users set password = ${unusable}, updated_at = now() where id = ${userId}`
}

export async function insertResetRequest(sql: Queries, { id, asked }: { id: string; asked: string }): Promise<void> {
  await sql`insert into reset_requests (id, asked) values (${id}, ${asked})`
}

export async function takeResetRequests(tx: Queries): Promise<{ asked: string }[]> {
  return tx<{ asked: string }[]>`
    delete from reset_requests where id in (select id from reset_requests order by id limit 100) returning asked`
}

/** The verified address of a user; undefined without one. */
export async function findVerified(sql: Queries, userId: string): Promise<string | undefined> {
  const [row] = await sql<{ email: string }[]>`select email from users where id = ${userId} and email is not null and email_verified_at is not null`
  return row?.email
}

export async function findUserOfEmail(sql: Queries, key: string): Promise<string | undefined> {
  const [row] = await sql<{ userId: string }[]>`select user_id from emails where email_key = ${key}`
  return row?.userId
}
