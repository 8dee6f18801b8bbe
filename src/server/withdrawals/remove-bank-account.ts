import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { lockCash } from '#server/ledger/read.ts'
import { findBankAccounts, markBankAccountRemoved, setDefault } from './bank-account-store.ts'
import { hasOpenWithdrawal } from './store.ts'

/** Keeps the row, because past withdrawals refer to it. If it was the default, the newest other account becomes the default. */
export const removeBankAccount: Handler<'removeBankAccount'> = async ({ sql }, { userId, params: { id } }) =>
  atomically(sql, async (tx) => {
    await lockCash(tx, userId)
    const accounts = await findBankAccounts(tx, userId)
    const account = accounts.find((candidate) => candidate.id === id)
    if (!account) throw new Refusal('not-found')
    if (await hasOpenWithdrawal(tx, { userId, id })) throw new Refusal('bank-account-in-use')
    await markBankAccountRemoved(tx, { userId, id })
    const next = accounts.find((candidate) => candidate.id !== id)
    if (account.isDefault && next) await setDefault(tx, { userId, id: next.id })
    return {}
  })
