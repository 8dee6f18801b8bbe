import { decimalToUnits } from '#core/money/decimal.ts'
import {
  changeProtections,
  checkProtections,
  looseningHours,
} from '#core/withdrawals/protections.ts'
import { changeAccount } from '#server/security/account-seal.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { lockCash } from '#server/ledger/read.ts'
import { notify } from '#server/notices/notify.ts'
import { readProtections } from './get-protections.ts'
import { findProtections, storeProtections } from './protection-store.ts'

export const updateProtections: Handler<'updateProtections'> = async (
  context,
  { userId, body: { delayHours, dailyLimit, allowedOnly }, proof },
) => {
  const limit = typeof dailyLimit === 'string' ? decimalToUnits(dailyLimit) : undefined
  checkProtections({ dailyLimit: limit })
  await changeAccount(context, userId, async (tx) => {
    await lockCash(tx.sql, userId)
    await proof.spend(tx)
    const present = await findProtections(tx.sql, userId)
    const { now, later } = changeProtections(present, {
      delayHours,
      dailyLimit: limit,
      allowedOnly,
    })
    const hours = looseningHours(present, context.config.WITHDRAWAL_HOLD_HOURS)
    await storeProtections(tx.sql, { userId, now, later: later && { ...later, hours } })
    await notify(tx.sql, {
      userId,
      kind: 'protections-changed',
      event: `protections:${context.newId()}`,
    })
    await auditUser(context, tx, {
      userId,
      action: 'withdrawal-protections.change',
      details: { loosens: later ? 'later' : 'nothing' },
    })
  })
  return readProtections(context, context.sql, userId)
}
