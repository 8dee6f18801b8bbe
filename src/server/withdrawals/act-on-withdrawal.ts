import { utcMinuteText } from '#core/utc-text.ts'
import { Refusal } from '#core/refusal.ts'
import {
  advanceWithdrawal,
  refuseDebtor,
  shownStatus,
  type WithdrawalAction,
  isUnsent,
} from '#core/withdrawals/withdrawal.ts'
import { writeAudit } from '#server/security/audit.ts'
import { refuseFrozenOwner } from '#server/auth/frozen.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import { publishMoney } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { lockCashAndDebt } from '#server/ledger/read.ts'
import { notify, type NewNotice } from '#server/notices/notify.ts'
import { setWithdrawalStatus } from '#server/transactions/write.ts'
import { findHold, refuseOnHold } from '#server/withdrawal-holds.ts'
import { refuseUnproven, type Confirmations } from './prove-payout.ts'
import {
  findWithdrawalKey,
  lockWithdrawal,
  setWithdrawalState,
  type StoredWithdrawal,
} from './store.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'

type Act = {
  id: string
  action: WithdrawalAction
  /** 'user:…', 'operator:…' or 'system'. */
  actor: string
  /**
   * The owner, if a user acts; then withdrawals of other users are not found. Undefined for
   * operators.
   */
  userId?: string
  note?: string
  /** The amounts of the funding deposits that the card provider confirms; needed for 'submit'. */
  confirmed?: Confirmations
}

/** Changes state, money, history and audit trail in one database transaction. */
export function actOnWithdrawal(context: Context, act: Act): Promise<StoredWithdrawal> {
  return context.atomically((tx) => actWithin(context, tx, act))
}

/** Like `actOnWithdrawal`, within a larger database transaction. */
export async function actWithin(
  context: Context,
  tx: BookWrite,
  { id, action, actor, userId: ownerId, note, confirmed = new Map() }: Act,
): Promise<StoredWithdrawal> {
  const withdrawal = await lockRequested(tx, id, ownerId)
  const { state, movement } = advanceWithdrawal(withdrawal, action)
  const { userId } = withdrawal
  if (action === 'approve' || action === 'submit') await refuseWaiting(tx, withdrawal)
  if (action === 'submit') await refuseUnproven(context, tx, { payout: withdrawal, confirmed })
  if (movement) {
    const dedupKey = `withdrawal:${id}:${action}`
    await post(tx, {
      id: context.newId(),
      dedupKey,
      movement,
      userId,
      eventTime: context.market.now(),
    })
  }
  const processed = ['paid', 'failed', 'returned', 'canceled', 'rejected'].includes(state)
  const changed = await setWithdrawalState(tx.sql, withdrawal, {
    state,
    processed,
    ...(action === 'submit' && { provider: context.payouts.provider }),
  })
  await setWithdrawalStatus(tx.sql, { userId, id }, shownStatus(state))
  const account = action === 'submit' ? context.payouts.account : undefined
  const details = {
    from: withdrawal.state,
    to: state,
    ...(note && { note }),
    ...(account && { account }),
  }
  await writeAudit(tx, {
    id: context.newId(),
    actor,
    action: `withdrawal.${action}`,
    subject: id,
    details,
  })
  await notify(tx.sql, withdrawalNotice(changed))
  await publishMoney(tx.sql, userId, ['withdrawals'])
  return changed
}

export async function lockRequested(
  { sql }: BookWrite,
  id: string,
  userId?: string,
): Promise<StoredWithdrawal> {
  const key = userId === undefined ? await findWithdrawalKey(sql, id) : { userId, id }
  const withdrawal = key && (await lockWithdrawal(sql, key))
  if (!withdrawal) throw new Refusal('not-found')
  return withdrawal
}

/**
 * Refuses to approve or send a withdrawal whose owner is in debt, frozen or has to wait. Locks the
 * owner's cash.
 */
export async function refuseWaiting(
  { sql }: BookWrite,
  { userId, heldUntil }: Pick<StoredWithdrawal, 'userId' | 'heldUntil'>,
): Promise<void> {
  refuseDebtor((await lockCashAndDebt(sql, userId)).owed)
  refuseOnHold(await findHold(sql, userId), heldUntil)
  await refuseFrozenOwner(sql, userId)
}

export function withdrawalNotice({
  id,
  userId,
  state,
  amount,
  bankName,
  accountNumberLast4,
  heldUntil,
}: StoredWithdrawal): NewNotice {
  const details = {
    amount: unitsToDecimal(amount, 2),
    account: `${bankName} ••${accountNumberLast4}`,
    withdrawalId: id,
    ...(isUnsent(state) && heldUntil && { sentFrom: utcMinuteText(heldUntil) }),
  }
  return { userId, kind: `withdrawal-${state}`, event: `withdrawal:${id}:${state}`, details }
}
