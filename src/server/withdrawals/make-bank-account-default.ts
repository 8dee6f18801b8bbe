import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { atomically } from '#server/db/atomically.ts'
import { lockCash } from '#server/ledger/read.ts'
import { showBankAccount } from './list-bank-accounts.ts'
import { clearDefault, findBankAccounts, setDefault } from './bank-account-store.ts'

export const makeBankAccountDefault: Handler<'makeBankAccountDefault'> = async ({ sql }, { userId, params: { id } }) =>
  atomically(sql, async (tx) => {
    await lockCash(tx, userId)
    const account = (await findBankAccounts(tx, userId)).find((candidate) => candidate.id === id)
    if (!account) throw new Refusal('not-found')
    await clearDefault(tx, userId)
    await setDefault(tx, { userId, id })
    return showBankAccount({ ...account, isDefault: true })
  })
