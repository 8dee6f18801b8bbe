import { DISOWN_DAYS } from '#core/notices/notice.ts'
import type { Units } from '#core/money/amount.ts'
import type { ClosingAccount } from '#core/auth/closing.ts'
import type { Queries } from '#server/db/statement.ts'

/** Locks the user: nothing that refers to the row is added until the transaction ends. */
export async function lockUser(tx: Queries, userId: string): Promise<void> {
  await tx`select id from users where id = ${userId} for update`
}

/** The figures that decide whether an account can be closed. */
export async function findClosing(
  sql: Queries,
  userId: string,
): Promise<ClosingAccount | undefined> {
  const [row] = await sql<(ClosingAccount & { cash: Units; owed: Units })[]>`
    select (select count(*)::integer from trading_bots where user_id = u.id and status <> 'closed')
           as bots,
           (select count(*)::integer from withdrawal_requests where user_id = u.id
           and state in ('pending', 'in_review', 'approved', 'submitted')) as withdrawals,
           (select count(*)::integer from payment_intents where user_id = u.id and status = 'open')
           as payments,
           (select balance from ledger_accounts where user_id = u.id and code = 'customer:cash')
           as cash,
           (select -balance from ledger_accounts where user_id = u.id
           and code = 'customer:receivable') as owed
      from users u where u.id = ${userId}`
  return row
}

type LastAddress = { username: string; email: string | null; isVerified: boolean }

export async function findLastAddress(
  tx: Queries,
  userId: string,
): Promise<LastAddress | undefined> {
  const [row] = await tx<
    LastAddress[]
  >`select username, email, email_verified_at is not null as is_verified from users
    where id = ${userId}`
  return row
}

/**
 * The row stays, because the records of money refer to it. `unusable`: a hash that no password has.
 */
export async function eraseUser(
  tx: Queries,
  { userId, unusable }: { userId: string; unusable: string },
): Promise<void> {
  await tx`
    update users set username = 'closed', first_name = 'Closed', last_name = 'account',
           email = null, email_verified_at = null, pending_email = null,
           profile_image_url = null, stripe_customer_id = null, stripe_subscription_id = null,
           password = ${unusable}, closed_at = now(), updated_at = now()
     where id = ${userId}`
}

/**
 * Tables without records of moved money; their rows are deleted with the user. Rows that refer to
 * others come first.
 */
export const PERSONAL = [
  'deliveries',
  'notices',
  'push_subscriptions',
  'webhooks',
  'notice_preferences',
  'notice_settings',
  'digest_totals',
  'proofs',
  'sessions',
  'program_key_bots',
  'program_keys',
  'passkeys',
  'authenticators',
  'recovery_codes',
  'spent_challenges',
  'withdrawal_holds',
  'withdrawal_protections',
  'withdrawal_protection_changes',
  'verified_emails',
  'bank_account_defaults',
  'idempotency_keys',
  'wallet_nonces',
  'connected_wallets',
  'crypto_wallets',
  'bot_plans',
  'emails',
] as const

export async function deletePersonalRows(tx: Queries, userId: string): Promise<void> {
  for (const table of PERSONAL) await tx`delete from ${tx(table)} where user_id = ${userId}`
}

/**
 * Accounts closed some days ago: their last message was sent or given up, and a request during the
 * closing may have left a row.
 */
export async function findLatelyClosed(sql: Queries): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from users where closed_at < now() - interval '3 days'
       and closed_at > now() - interval '30 days'`
  return rows.map(({ id }) => id)
}

/** One day longer than "This was not me" can restore an account. */
const TAKEN_BACK_DAYS = DISOWN_DAYS + 1

export async function findOutdatedAddresses(sql: Queries): Promise<string[]> {
  return (
    await sql<{ userId: string }[]>`
    select distinct user_id from verified_emails
     where released_at < now() - ${TAKEN_BACK_DAYS}::integer * interval '1 day'`
  ).map(({ userId }) => userId)
}

export async function deleteOutdatedAddresses(tx: Queries, userId: string): Promise<void> {
  await tx`delete from verified_emails where released_at < now() - ${TAKEN_BACK_DAYS}::integer *
    interval '1 day' and user_id = ${userId}`
}

export async function deleteOldRows(sql: Queries): Promise<void> {
  await sql`delete from deliveries where created_at < now() - interval '90 days'`
  await sql`
    delete from notices n where n.created_at < now() - interval '1 year'
       and not exists (select 1 from deliveries d where d.user_id = n.user_id
           and d.notice_id = n.id)`
  await sql`delete from idempotency_keys where created_at < now() - interval '30 days'`
  await sql`delete from wallet_nonces where expires_at < now() - interval '1 day'`
  await sql`delete from crypto_wallets where disconnected_at < now() - interval '1 year'`
  await sql`delete from emails where released_at < now() - ${TAKEN_BACK_DAYS}::integer *
    interval '1 day'`
  await sql`delete from recovery_codes where replaced_at < now() - ${TAKEN_BACK_DAYS}::integer *
    interval '1 day'`
  await sql`delete from push_subscriptions where ended_at < now() - ${TAKEN_BACK_DAYS}::integer *
    interval '1 day'`
  await sql`delete from withdrawal_protection_changes
    where changed_at < now() - ${TAKEN_BACK_DAYS}::integer * interval '1 day'`
  await sql`delete from withdrawal_holds
    where coalesce(lifted_at, until) < now() - interval '1 year'`
}
