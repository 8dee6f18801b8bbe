import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/audit.ts'
import { voidProofs } from '#server/auth/proof.ts'
import { atomically } from '#server/db/atomically.ts'
import { lockCash } from '#server/ledger/read.ts'
import { showBankAccount } from './list-bank-accounts.ts'
import { changeDefault } from './change-default.ts'
import { findBankAccounts } from './bank-account-store.ts'

export const makeBankAccountDefault: Handler<'makeBankAccountDefault'> = async (
  context,
  { userId, params: { id } },
) =>
  atomically(context.sql, async (tx) => {
    await lockCash(tx, userId)
    const account = (await findBankAccounts(tx, userId)).find((candidate) => candidate.id === id)
    if (!account) throw new Refusal('not-found')
    if (account.isDefault) return showBankAccount(account)
    await voidProofs(tx, userId)
    await changeDefault(context, tx, { userId, account })
    await writeAudit(tx, {
      id: context.newId(),
      actor: `user:${userId}`,
      action: 'bank-account.make-default',
      subject: id,
      details: {},
    })
    return showBankAccount({ ...account, isDefault: true })
  })
