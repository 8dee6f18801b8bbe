import { required } from '#core/assert.ts'
import { checkCount } from '#core/count-limits.ts'
import { checkBankAccount } from '#core/withdrawals/bank-account.ts'
import { looseningHours } from '#core/withdrawals/protections.ts'
import type { AddBankAccountRequest, BankAccount } from '#contract/withdrawals.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { digestOf } from '#server/auth/proof.ts'
import type { Context } from '#server/context.ts'
import { idempotent } from '#server/db/idempotent.ts'
import type { BookWrite } from '#server/db/book.ts'
import { lockCash } from '#server/ledger/read.ts'
import { notify } from '#server/notices/notify.ts'
import { holdWithdrawals } from '#server/withdrawal-holds.ts'
import { seal } from '#server/kernel/sealed.ts'
import { showBankAccount } from './list-bank-accounts.ts'
import { findSealedProtections } from './protection-store.ts'
import { findBankAccounts, insertBankAccount } from './bank-account-store.ts'

/** Stores a keyed digest of the request: a plain hash would give the account number away. */
export const addBankAccount: Handler<'addBankAccount'> = async (
  context,
  { userId, body, idempotencyKey: key, proof },
) => {
  checkBankAccount(body)
  const request = { action: 'addBankAccount', id: undefined, body } as const
  const keyed = digestOf(context, { userId, request }).toString('hex')
  return context.atomically((tx) =>
    idempotent(tx.sql, { userId, key, action: 'bank-account', body: keyed }, async () => {
      await lockCash(tx.sql, userId)
      const accounts = await findBankAccounts(tx.sql, userId)
      checkCount('too-many-bank-accounts', accounts.length)
      await proof.spend(tx)
      return add(context, tx, { userId, account: body, isDefault: accounts.length === 0 })
    }),
  )
}

type Added = { userId: string; account: AddBankAccountRequest; isDefault: boolean }

/** The first account becomes the default. */
async function add(
  context: Context,
  tx: BookWrite,
  { userId, account, isDefault }: Added,
): Promise<BankAccount> {
  const { config, newId } = context
  const id = newId()
  const { accountNumber, ...rest } = account
  await insertBankAccount(tx.sql, {
    ...rest,
    id,
    userId,
    accountNumberSealed: seal({ text: accountNumber, userId, secret: config.SESSION_SECRET }),
    accountNumberLast4: accountNumber.slice(-4),
    isDefault,
    allowedAfterHours: looseningHours(
      await findSealedProtections(tx, userId),
      config.WITHDRAWAL_HOLD_HOURS,
    ),
  })
  const hold = await holdWithdrawals(context, tx, { userId, reason: 'bank-account-added' })
  await auditUser({ newId }, tx, { userId, action: 'bank-account.add', subject: id })
  await notify(tx.sql, {
    userId,
    kind: 'bank-account-added',
    event: `bank-account:${id}:added`,
    details: { account: `${account.bankName} ••${accountNumber.slice(-4)}`, ...hold },
  })
  const added = (await findBankAccounts(tx.sql, userId)).find((candidate) => candidate.id === id)
  return showBankAccount(required(added, 'the account was just added'))
}
