import { withdrawalHeld } from '#core/ledger/movements.ts'
import type { Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { checkWithdrawal } from '#core/withdrawals/withdrawal.ts'
import { filled, SENTENCES } from '#core/sentences.ts'
import type { Withdrawal } from '#contract/withdrawals.ts'
import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/audit.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import { idempotent } from '#server/db/idempotent.ts'
import type { Transaction } from '#server/db/open.ts'
import { heldDeposits } from '#server/deposits/held-deposits.ts'
import { publishMoney } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { lockCashAndDebt } from '#server/ledger/read.ts'
import { writeTransaction } from '#server/transactions/write.ts'
import { showWithdrawal } from './list-withdrawals.ts'
import { findBankAccounts } from './bank-account-store.ts'
import { insertWithdrawal } from './store.ts'

export const requestWithdrawal: Handler<'requestWithdrawal'> = async (context, { userId, body, idempotencyKey }) =>
  atomically(context.sql, (tx) =>
    idempotent(tx, { userId, key: idempotencyKey, action: 'withdrawal', body }, async () => {
      const amount = decimalToUnits(body.amount)
      const { cash, owed } = await lockCashAndDebt(tx, userId)
      checkWithdrawal({ amount, available: cash, owed, holds: await heldDeposits(context, tx, userId) })
      const accounts = await findBankAccounts(tx, userId)
      const account = body.bankAccountId ? accounts.find(({ id }) => id === body.bankAccountId) : accounts[0]
      if (!account) throw body.bankAccountId ? new Refusal('not-found', { field: 'bankAccountId' }) : new Refusal('bank-account-required')
      return hold(context, tx, { userId, amount, account })
    }),
  )

type Held = { userId: string; amount: Units; account: { id: string; bankName: string; accountNumberLast4: string } }

async function hold(context: Context, tx: Transaction, { userId, amount, account }: Held): Promise<Withdrawal> {
  const id = context.newId()
  const transferId = context.newId()
  const movement = withdrawalHeld({ userId, amount })
  await post(tx, { id: transferId, dedupKey: `withdrawal:${id}:hold`, movement, userId, eventTime: context.market.now() })
  const withdrawal = await insertWithdrawal(tx, { id, userId, bankAccountId: account.id, amount })
  await writeTransaction(tx, {
    id: context.newId(),
    userId,
    type: 'withdrawal',
    amount: -amount,
    status: 'pending',
    description: filled(SENTENCES.withdrawal, { name: `${account.bankName} ••${account.accountNumberLast4}` }),
    transferId,
    withdrawalId: id,
  })
  await writeAudit(tx, { id: context.newId(), actor: `user:${userId}`, action: 'withdrawal.request', subject: id, details: {} })
  await publishMoney(tx, userId, ['withdrawals'])
  return showWithdrawal(withdrawal)
}
