import { withdrawalHeld } from '#core/ledger/movements.ts'
import { unitsOfDollars, type Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { checkAccountAge, checkDailyLimit, leftOf } from '#core/withdrawals/protections.ts'
import { type ReviewReason, reviewReasons, YOUNG_HOURS } from '#core/withdrawals/review.ts'
import { checkWithdrawal } from '#core/withdrawals/withdrawal.ts'
import { sentence } from '#core/sentences.ts'
import type { Withdrawal } from '#contract/withdrawals.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import { idempotent } from '#server/db/idempotent.ts'
import type { BookWrite } from '#server/db/book.ts'
import { heldDeposits, sumYoungDeposits } from '#server/deposits/held-deposits.ts'
import { publishMoney } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { lockCashAndDebt } from '#server/ledger/read.ts'
import { notify } from '#server/notices/notify.ts'
import { writeTransaction } from '#server/transactions/write.ts'
import { findHold, refuseLocked } from '#server/withdrawal-holds.ts'
import { actWithin, withdrawalNotice } from './act-on-withdrawal.ts'
import { showWithdrawal } from './list-withdrawals.ts'
import { findBankAccounts } from './bank-account-store.ts'
import { findSealedProtections, readRequested } from './protection-store.ts'
import { insertWithdrawal } from './store.ts'
import type { Queries } from '#server/db/statement.ts'

export const requestWithdrawal: Handler<'requestWithdrawal'> = async (
  context,
  { userId, body, idempotencyKey, proof },
) =>
  context.atomically((tx) =>
    idempotent(tx.sql, { userId, key: idempotencyKey, action: 'withdrawal', body }, async () => {
      const amount = decimalToUnits(body.amount)
      const { cash, owed } = await lockCashAndDebt(tx.sql, userId)
      const lasting = await findHold(tx.sql, userId)
      refuseLocked(lasting)
      checkWithdrawal({
        amount,
        available: cash,
        owed,
        holds: await heldDeposits(context, tx.sql, userId),
      })
      const protections = await findSealedProtections(tx, userId)
      const requested = await readRequested(tx.sql, userId)
      checkDailyLimit({
        amount,
        left: leftOf({ limit: protections.dailyLimit, requested: requested.amount }),
      })
      const accounts = await findBankAccounts(tx.sql, userId)
      const account = body.bankAccountId
        ? accounts.find(({ id }) => id === body.bankAccountId)
        : accounts[0]
      if (!account)
        throw body.bankAccountId
          ? new Refusal('not-found', { field: 'bankAccountId' })
          : new Refusal('bank-account-required')
      checkAccountAge(protections, account)
      await proof.spend(tx)
      const reasons = await findReviewReasons(context, tx.sql, {
        userId,
        amount,
        available: cash,
        requested,
      })
      return hold(context, tx, {
        userId,
        amount,
        account,
        reasons,
        delayHours: protections.delayHours,
        onHoldUntil: lasting?.until ?? null,
      })
    }),
  )

type Held = {
  userId: string
  amount: Units
  delayHours: number
  onHoldUntil: Date | null
  reasons: readonly ReviewReason[]
  account: { id: string; bankName: string; accountNumberLast4: string }
}

async function hold(
  context: Context,
  tx: BookWrite,
  { userId, ...held }: Held,
): Promise<Withdrawal> {
  const { amount, account, reasons } = held
  const id = context.newId()
  const transferId = context.newId()
  const movement = withdrawalHeld({ userId, amount })
  await post(tx, {
    id: transferId,
    dedupKey: `withdrawal:${id}:hold`,
    movement,
    userId,
    eventTime: context.market.now(),
  })
  const withdrawal = await insertWithdrawal(tx.sql, { id, userId, ...held })
  await writeTransaction(tx.sql, {
    id: context.newId(),
    userId,
    type: 'withdrawal',
    amount: -amount,
    status: 'pending',
    description: sentence('withdrawal', {
      name: `${account.bankName} ••${account.accountNumberLast4}`,
    }),
    transferId,
    withdrawalId: id,
  })
  await auditUser(context, tx, { userId, action: 'withdrawal.request', subject: id })
  await notify(tx.sql, withdrawalNotice(withdrawal))
  await publishMoney(tx.sql, userId, ['withdrawals'])
  if (reasons.length === 0) return showWithdrawal(withdrawal)
  return showWithdrawal(
    await actWithin(context, tx, {
      userId,
      id,
      action: 'review',
      actor: 'system',
      note: reasons.join(', '),
    }),
  )
}

type WithdrawalRequest = {
  userId: string
  amount: Units
  available: Units
  requested: { amount: Units; count: number }
}

async function findReviewReasons(
  context: Context,
  tx: Queries,
  { userId, ...requested }: WithdrawalRequest,
): Promise<ReviewReason[]> {
  const { WITHDRAWAL_REVIEW_AMOUNT, WITHDRAWAL_REVIEW_COUNT, WITHDRAWAL_REVIEW_YOUNG } =
    context.config
  const youngDeposits = await sumYoungDeposits(tx, { userId, hours: YOUNG_HOURS })
  const limits = {
    amount: unitsOfDollars(WITHDRAWAL_REVIEW_AMOUNT),
    count: WITHDRAWAL_REVIEW_COUNT,
    youngDeposits: unitsOfDollars(WITHDRAWAL_REVIEW_YOUNG),
  }
  return reviewReasons({ ...requested, youngDeposits }, limits)
}
