import { required } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { checkBankAccount, MAXIMUM_BANK_ACCOUNTS } from '#core/withdrawals/bank-account.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { lockCash } from '#server/ledger/read.ts'
import { showBankAccount } from './list-bank-accounts.ts'
import { seal } from './sealed.ts'
import { findBankAccounts, insertBankAccount } from './bank-account-store.ts'

/** The first account becomes the default. */
export const addBankAccount: Handler<'addBankAccount'> = async ({ sql, config, newId }, { userId, body }) => {
  checkBankAccount(body)
  const id = newId()
  return atomically(sql, async (tx) => {
    await lockCash(tx, userId)
    const accounts = await findBankAccounts(tx, userId)
    if (accounts.length >= MAXIMUM_BANK_ACCOUNTS) throw new Refusal('too-many-bank-accounts')
    const { accountNumber, ...account } = body
    await insertBankAccount(tx, {
      ...account,
      id,
      userId,
      accountNumberSealed: seal({ text: accountNumber, userId, secret: config.SESSION_SECRET }),
      accountNumberLast4: accountNumber.slice(-4),
      isDefault: accounts.length === 0,
    })
    const added = (await findBankAccounts(tx, userId)).find((candidate) => candidate.id === id)
    return showBankAccount(required(added, 'the account was just added'))
  })
}
