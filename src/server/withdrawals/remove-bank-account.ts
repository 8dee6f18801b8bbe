import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { voidProofs } from '#server/auth/proof.ts'
import { lockCash } from '#server/ledger/read.ts'
import { notify } from '#server/notices/notify.ts'
import { changeDefault } from './make-bank-account-default.ts'
import { findBankAccounts, markBankAccountRemoved } from './bank-account-store.ts'
import { hasOpenWithdrawal } from './store.ts'

/** The row stays for past withdrawals. The newest other account becomes the default. */
export const removeBankAccount: Handler<'removeBankAccount'> = async (
  context,
  { userId, params: { id } },
) =>
  context.atomically(async (tx) => {
    await lockCash(tx.sql, userId)
    const accounts = await findBankAccounts(tx.sql, userId)
    const account = accounts.find((candidate) => candidate.id === id)
    if (!account) throw new Refusal('not-found')
    if (await hasOpenWithdrawal(tx.sql, { userId, id })) throw new Refusal('bank-account-in-use')
    await voidProofs(tx.sql, userId)
    await markBankAccountRemoved(tx.sql, { userId, id })
    await notify(tx.sql, {
      userId,
      kind: 'bank-account-removed',
      event: `bank-account:${id}:removed`,
      details: { account: `${account.bankName} ••${account.accountNumberLast4}` },
    })
    const next = accounts.find((candidate) => candidate.id !== id)
    await auditUser(context, tx, { userId, action: 'bank-account.remove', subject: id })
    if (account.isDefault && next) await changeDefault(context, tx, { userId, account: next })
    return {}
  })
