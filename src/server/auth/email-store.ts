import { emailKey } from '#core/auth/credentials.ts'
import { DISOWN_DAYS, type NoticeDetails, type NoticeKind } from '#core/notices/notice.ts'
import { readAccount } from '#server/security/account-seal.ts'
import type { Book } from '#server/db/book.ts'
import type { Queries } from '#server/db/statement.ts'
import type { MailKind } from '#server/notices/link.ts'

type StoredEmail = { email: string | null; isVerified: boolean; pendingEmail: string | null }

export async function lockEmail(tx: Queries, userId: string): Promise<StoredEmail | undefined> {
  const [row] = await tx<StoredEmail[]>`
    select email, email_verified_at is not null as is_verified, pending_email from users
     where id = ${userId} for no key update`
  return row
}

/**
 * Sets the address that the user has not verified yet: the first one, or the one that will replace
 * the verified one.
 */
export async function setUnverified(
  tx: Queries,
  { userId, email, isVerified }: { userId: string; email: string; isVerified: boolean },
): Promise<void> {
  if (isVerified)
    await tx`update users set pending_email = ${email}, updated_at = now() where id = ${userId}`
  else
    await tx`update users set email = ${email}, pending_email = null, updated_at = now()
      where id = ${userId}`
}

type Address = { userId: string; email: string }

/**
 * False if the address belongs to another user, or did within the last seven days. Threat: a thief
 * verifies the owner's address for another account, so that it cannot be restored.
 */
export async function setVerified(tx: Queries, { userId, email }: Address): Promise<boolean> {
  const key = emailKey(email)
  const { count } = await tx`
    insert into emails as known (email_key, user_id) values (${key}, ${userId})
    on conflict (email_key) do update set user_id = excluded.user_id, released_at = null
     where known.user_id = excluded.user_id or known.released_at < now() - ${DISOWN_DAYS}::integer *
           interval '1 day'`
  if (count === 0) return false
  await tx`update emails set released_at = now() where user_id = ${userId} and email_key <> ${key}
    and released_at is null`
  await noteVerified(tx, { userId, email })
  await tx`update users set email = ${email}, email_verified_at = now(), pending_email = null,
    updated_at = now() where id = ${userId}`
  return true
}

/**
 * Records a verified address. If the user had it within the last seven days, it keeps the time of
 * its first verification.
 */
async function noteVerified(tx: Queries, { userId, email }: Address): Promise<void> {
  await tx`update verified_emails set released_at = now() where user_id = ${userId}
    and email <> ${email} and released_at is null`
  await tx`delete from verified_emails where user_id = ${userId}
    and released_at < now() - ${DISOWN_DAYS}::integer * interval '1 day'`
  await tx`
    insert into verified_emails (user_id, email) values (${userId}, ${email})
    on conflict on constraint verified_emails_pkey do update set released_at = null`
}

/**
 * The address before the first event of these `kinds` after `since`: the last one verified before
 * that event, else the first one verified after it.
 */
export async function findEarlierAddress(
  sql: Queries,
  { userId, since, kinds }: { userId: string; since: string; kinds: readonly NoticeKind[] },
): Promise<string | undefined> {
  const [row] = await sql<{ email: string }[]>`
    with first as (
      select min(created_at) as at from notices
       where user_id = ${userId} and created_at >= ${since}::timestamptz
         and kind = any(${[...kinds]}::text[]))
    select v.email from verified_emails v cross join first
     where v.user_id = ${userId}
       and (v.released_at is null or v.released_at >= ${since}::timestamptz)
     order by v.verified_at >= coalesce(first.at, 'infinity'), case when v.verified_at >= first.at
           then v.verified_at end, v.verified_at desc
     limit 1`
  return row?.email
}

export async function findKeptAddresses(
  sql: Queries,
  { userId, since }: { userId: string; since: string },
): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select email from verified_emails
     where user_id = ${userId} and (released_at is null or released_at >= ${since}::timestamptz)`
  return rows.map(({ email }) => email)
}

/** Restores this address and forgets all others. False if it is another user's. */
export async function restoreVerified(tx: Queries, { userId, email }: Address): Promise<boolean> {
  await tx`delete from emails where user_id = ${userId} and email_key <> ${emailKey(email)}`
  await tx`delete from verified_emails where user_id = ${userId} and email <> ${email}`
  return setVerified(tx, { userId, email })
}

export async function setNoneVerified(tx: Queries, userId: string): Promise<void> {
  await tx`update users set email_verified_at = null, updated_at = now() where id = ${userId}`
}

export async function forgetPending(tx: Queries, userId: string): Promise<void> {
  await tx`update users set pending_email = null where id = ${userId}`
}

export type LinkedMessage = { kind: MailKind; address: string | null; details: NoticeDetails }

/** Undefined if the link was used, or is older than `hours`. */
export async function useLink(
  tx: Queries,
  { userId, id }: { userId: string; id: string },
  hours: number,
): Promise<LinkedMessage | undefined> {
  const [row] = await tx<LinkedMessage[]>`
    update deliveries set link_used_at = now()
     where user_id = ${userId} and id = ${id} and link_used_at is null
       and created_at > now() - ${hours}::integer * interval '1 hour'
    returning kind, address, details`
  return row
}

export async function isOpenLink(
  sql: Queries,
  { userId, id }: { userId: string; id: string },
  hours: number,
): Promise<boolean> {
  const rows = await sql`
    select from deliveries where user_id = ${userId} and id = ${id} and link_used_at is null
       and created_at > now() - ${hours}::integer * interval '1 hour'`
  return rows.length > 0
}

export async function closeLinks(
  tx: Queries,
  { userId, kinds }: { userId: string; kinds: readonly MailKind[] },
): Promise<void> {
  await tx`update deliveries set link_used_at = now() where user_id = ${userId}
    and kind = any(${[...kinds]}::text[]) and link_used_at is null`
}

export async function closeAllLinks(tx: Queries, userId: string): Promise<void> {
  await tx`update deliveries set link_used_at = now() where user_id = ${userId}
    and link_used_at is null`
}

/** `password`: the hash. 'This was not me' stores a hash that no password matches. */
export async function setPassword(
  tx: Queries,
  { userId, password }: { userId: string; password: string },
): Promise<void> {
  await tx`update users set password = ${password}, updated_at = now() where id = ${userId}`
}

export async function insertResetRequest(
  sql: Queries,
  { id, asked }: { id: string; asked: string },
): Promise<void> {
  await sql`insert into reset_requests (id, asked) values (${id}, ${asked})`
}

export async function takeResetRequests(tx: Queries): Promise<{ asked: string }[]> {
  return tx<{ asked: string }[]>`
    delete from reset_requests where id in (select id from reset_requests order by id limit 100)
  returning asked`
}

export async function findVerified(book: Book, userId: string): Promise<string | undefined> {
  const account = await readAccount(book, userId)
  return account?.isVerified === true ? (account.email ?? undefined) : undefined
}

export async function findUserOfEmail(sql: Queries, key: string): Promise<string | undefined> {
  const [row] = await sql<
    { userId: string }[]
  >`select user_id from emails where email_key = ${key} and released_at is null`
  return row?.userId
}
