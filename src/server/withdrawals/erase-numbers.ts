import { DISOWN_DAYS } from '#core/notices/notice.ts'
import type { Queries } from '#server/db/statement.ts'

/** A bank may send a payout back for weeks: until then the number is needed. */
const DAYS_AFTER_PAYOUT = 90

/**
 * Erases the numbers of removed accounts, of one user or all, unless a withdrawal to them changed
 * lately. Bank name and last four digits stay with the withdrawals. While the user's account is
 * open, numbers stay for as long as "This was not me" can restore the bank account.
 */
export async function eraseNumbers(sql: Queries, userId?: string): Promise<void> {
  await sql`
    update bank_accounts b
       set account_number_sealed = '', routing_number = ''
      from users u
     where u.id = b.user_id and b.removed_at is not null and b.account_number_sealed <> ''
       and (${userId ?? null}::uuid is null or b.user_id = ${userId ?? null}::uuid)
       and (b.user_id = ${userId ?? null}::uuid or u.closed_at is not null
            or b.removed_at < now() - ${DISOWN_DAYS + 1}::integer * interval '1 day')
       and not exists (
             select 1 from withdrawal_requests w
              where w.user_id = b.user_id and w.bank_account_id = b.id
                and w.updated_at > now() - ${DAYS_AFTER_PAYOUT}::integer * interval '1 day')`
}

/** Removes all bank accounts of a user who closes the account. */
export async function removeAllBankAccounts(tx: Queries, userId: string): Promise<void> {
  await tx`update bank_accounts set is_default = false, removed_at = now() where user_id = ${userId}
    and removed_at is null`
  await eraseNumbers(tx, userId)
}
