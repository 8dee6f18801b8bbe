import { NO_PROTECTIONS, type Protections } from '#core/withdrawals/protections.ts'
import type { Units } from '#core/money/amount.ts'
import { knownAccount } from '#server/security/account-seal.ts'
import type { Book } from '#server/db/book.ts'
import type { Queries } from '#server/db/statement.ts'

/** `later`: looser values, and from when on they apply. */
type StoredProtections = Protections & { later: (Protections & { from: Date }) | undefined }

type Row = {
  delayHours: number
  dailyLimit: Units | null
  allowedOnly: boolean
  nextDelayHours: number | null
  nextDailyLimit: Units | null
  nextAllowedOnly: boolean | null
  nextFrom: Date | null
  isNext: boolean
}

export async function findProtections(sql: Queries, userId: string): Promise<StoredProtections> {
  const [row] = await sql<Row[]>`
    select delay_hours, daily_limit, allowed_only, next_delay_hours, next_daily_limit,
           next_allowed_only, next_from,
           coalesce(next_from <= now(), false) as is_next
      from withdrawal_protections where user_id = ${userId}`
  if (!row) return { ...NO_PROTECTIONS, later: undefined }
  const now = {
    delayHours: row.delayHours,
    dailyLimit: row.dailyLimit ?? undefined,
    allowedOnly: row.allowedOnly,
  }
  if (row.nextFrom === null) return { ...now, later: undefined }
  const next = {
    delayHours: row.nextDelayHours ?? 0,
    dailyLimit: row.nextDailyLimit ?? undefined,
    allowedOnly: row.nextAllowedOnly ?? false,
  }
  return row.isNext
    ? { ...next, later: undefined }
    : { ...now, later: { ...next, from: row.nextFrom } }
}

/**
 * The protections that apply now, as they were sealed. Refuses an account that somebody changed
 * outside of the product.
 */
export async function findSealedProtections(book: Book, userId: string): Promise<Protections> {
  const account = await knownAccount(book, userId)
  const { protections: sealed, readAt } = account
  if (sealed === null) return NO_PROTECTIONS
  const isNext =
    sealed.nextFrom !== null && BigInt(sealed.nextFrom) <= BigInt(readAt.getTime()) * 1_000n
  const dailyLimit = isNext ? sealed.nextDailyLimit : sealed.dailyLimit
  const [delayHours, allowedOnly] = isNext
    ? [sealed.nextDelayHours, sealed.nextAllowedOnly]
    : [sealed.delayHours, sealed.allowedOnly]
  return {
    delayHours: delayHours ?? 0,
    dailyLimit: dailyLimit === null ? undefined : BigInt(dailyLimit),
    allowedOnly: allowedOnly ?? false,
  }
}

type Change = {
  userId: string
  now: Protections
  later: (Protections & { hours: number }) | undefined
}

/** Stores a change, and what applied before it. */
export async function storeProtections(tx: Queries, { userId, now, later }: Change): Promise<void> {
  const before = await findProtections(tx, userId)
  await tx`
    insert into withdrawal_protection_changes (user_id, delay_hours, daily_limit, allowed_only)
    values (${userId}, ${before.delayHours}, ${before.dailyLimit ?? null}, ${before.allowedOnly})`
  await tx`
    insert into withdrawal_protections as known
      (user_id, delay_hours, daily_limit, allowed_only, next_delay_hours, next_daily_limit,
      next_allowed_only, next_from)
    values (${userId}, ${now.delayHours}, ${now.dailyLimit ?? null}, ${now.allowedOnly},
           ${later?.delayHours ?? null}, ${later?.dailyLimit ?? null},
            ${later?.allowedOnly ?? null}, now() + ${later?.hours ?? null}::integer *
            interval '1 hour')
    on conflict on constraint withdrawal_protections_pkey do update
       set delay_hours = excluded.delay_hours, daily_limit = excluded.daily_limit,
           allowed_only = excluded.allowed_only,
           next_delay_hours = excluded.next_delay_hours,
           next_daily_limit = excluded.next_daily_limit,
           next_allowed_only = excluded.next_allowed_only,
           next_from = excluded.next_from`
}

/** The protections before the first change since then; undefined if nothing was changed. */
export async function findProtectionsBefore(
  sql: Queries,
  { userId, since }: { userId: string; since: string },
): Promise<Protections | undefined> {
  const [row] = await sql<Pick<Row, 'delayHours' | 'dailyLimit' | 'allowedOnly'>[]>`
    select delay_hours, daily_limit, allowed_only from withdrawal_protection_changes
     where user_id = ${userId} and changed_at >= ${since}::timestamptz order by changed_at limit 1`
  return row && { ...row, dailyLimit: row.dailyLimit ?? undefined }
}

/** Withdrawals requested within the last 24 hours whose money did not come back. */
export async function readRequested(
  sql: Queries,
  userId: string,
): Promise<{ amount: Units; count: number }> {
  const [row] = await sql<{ amount: Units; count: number }[]>`
    select coalesce(sum(amount), 0)::bigint as amount, count(*)::integer as count
      from withdrawal_requests
     where user_id = ${userId} and created_at > now() - interval '24 hours'
       and state not in ('canceled', 'rejected', 'failed', 'returned')`
  return row ?? { amount: 0n, count: 0 }
}
