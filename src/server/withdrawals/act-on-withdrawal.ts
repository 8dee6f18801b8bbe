import { present } from '#core/assert.ts'
import { Refusal } from '#core/refusal.ts'
import { advanceWithdrawal, refuseDebtor, shownStatus, type WithdrawalAction } from '#core/withdrawals/withdrawal.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Transaction } from '#server/db/open.ts'
import { publishMoney } from '#server/events/bus.ts'
import { post } from '#server/ledger/post.ts'
import { lockPurse } from '#server/ledger/read.ts'
import { writeAudit } from '#server/ops/audit.ts'
import { setWithdrawalStatus } from '#server/transactions/write.ts'
import { lockWithdrawal, setWithdrawalState, type StoredWithdrawal } from './store.ts'

export type Act = {
  id: string
  action: WithdrawalAction
  /** 'user:…', 'operator:…' or 'system'. */
  actor: string
  /** Set where only the owner may act: anybody else's withdrawal does not exist. */
  ownerId?: string
  note?: string
}

/** Takes a withdrawal one step further: state, money, history and audit in one database transaction. */
export function actOnWithdrawal(context: Context, act: Act): Promise<StoredWithdrawal> {
  return atomically(context.sql, (tx) => actWithin(context, tx, act))
}

/** The same, as a part of a larger database transaction. */
export async function actWithin(context: Context, tx: Transaction, { id, action, actor, ownerId, note }: Act): Promise<StoredWithdrawal> {
  const withdrawal = await lockWithdrawal(tx, id)
  if (!withdrawal || (ownerId !== undefined && withdrawal.userId !== ownerId)) throw new Refusal('not-found')
  const { state, movement } = advanceWithdrawal(withdrawal, action)
  const { userId } = withdrawal
  if (action === 'approve' || action === 'submit') refuseDebtor((await lockPurse(tx, userId)).owed)
  if (movement) {
    const dedupKey = `withdrawal:${id}:${action}`
    await post(tx, { id: context.newId(), dedupKey, movement, userId, eventTime: context.market.now() })
  }
  const processed = ['paid', 'failed', 'returned', 'canceled', 'rejected'].includes(state)
  await setWithdrawalState(tx, { id, state, processed })
  await setWithdrawalStatus(tx, id, shownStatus(state))
  const details = { from: withdrawal.state, to: state, ...(note && { note }) }
  await writeAudit(tx, { id: context.newId(), actor, action: `withdrawal.${action}`, subject: id, details })
  await publishMoney(tx, userId, ['withdrawals'])
  return present(await lockWithdrawal(tx, id), 'the withdrawal is locked')
}
