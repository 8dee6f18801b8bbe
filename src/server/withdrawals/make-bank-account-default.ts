import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { voidProofs } from '#server/auth/proof.ts'
import type { Book } from '#server/db/book.ts'
import { lockCash } from '#server/ledger/read.ts'
import { showBankAccount } from './list-bank-accounts.ts'
import { findBankAccounts, setDefault, type StoredBankAccount } from './bank-account-store.ts'
import type { Context } from '#server/context.ts'
import { notify } from '#server/notices/notify.ts'
import { holdWithdrawals } from '#server/withdrawal-holds.ts'

export const makeBankAccountDefault: Handler<'makeBankAccountDefault'> = async (
  context,
  { userId, params: { id } },
) =>
  context.atomically(async (tx) => {
    await lockCash(tx.sql, userId)
    const account = (await findBankAccounts(tx.sql, userId)).find(
      (candidate) => candidate.id === id,
    )
    if (!account) throw new Refusal('not-found')
    if (account.isDefault) return showBankAccount(account)
    await voidProofs(tx.sql, userId)
    await changeDefault(context, tx, { userId, account })
    await auditUser(context, tx, { userId, action: 'bank-account.make-default', subject: id })
    return showBankAccount({ ...account, isDefault: true })
  })

/**
 * Changes the default account. Threat: a thief makes his own the default; so withdrawals wait, and
 * the user gets a notice.
 */
export async function changeDefault(
  context: Context,
  tx: Book,
  { userId, account }: { userId: string; account: StoredBankAccount },
): Promise<void> {
  await setDefault(tx.sql, { userId, id: account.id })
  const hold = await holdWithdrawals(context, tx, { userId, reason: 'bank-account-default' })
  const details = { account: `${account.bankName} ••${account.accountNumberLast4}`, ...hold }
  await notify(tx.sql, {
    userId,
    kind: 'bank-account-default',
    event: `bank-account:${account.id}:default:${context.newId()}`,
    details,
  })
}
