import { unitsToDecimal } from '#core/money/decimal.ts'
import { restoredProtections } from '#core/withdrawals/protections.ts'
import type { Handler } from '#server/action.ts'
import { type Unconfirmed, previewDisowned } from '#server/auth/disown-account.ts'
import type { Queries } from '#server/db/statement.ts'
import { findBankAccountChanges } from './bank-account-store.ts'
import { findProtections, findProtectionsBefore } from './protection-store.ts'
import { findUnsentSince } from './store.ts'

export const previewDisown: Handler<'previewDisown'> = async (context, call) => {
  const { of, ...account } = await previewDisowned(context, call)
  const [withdrawals, changes] = [
    await findUnsentSince(context.sql, of),
    await findBankAccountChanges(context.sql, of),
  ]
  const named = (isAdded: boolean) =>
    changes.filter((change) => change.isAdded === isAdded).map(nameOf)
  return {
    ...account,
    since: new Date(of.since).toISOString(),
    withdrawals: withdrawals.map((withdrawal) => ({
      amount: unitsToDecimal(withdrawal.amount, 2),
      account: nameOf(withdrawal),
    })),
    removedAccounts: named(true),
    returnedAccounts: named(false),
    protections: await arePutBack(context.sql, of),
  }
}

const nameOf = ({
  bankName,
  accountNumberLast4,
}: {
  bankName: string
  accountNumberLast4: string
}): string => `${bankName} ••${accountNumberLast4}`

/**
 * Whether 'This was not me' restores protections that were loosened, or cancels a loosening that
 * does not apply yet.
 */
async function arePutBack(sql: Queries, { userId, since }: Unconfirmed): Promise<boolean> {
  const before = await findProtectionsBefore(sql, { userId, since })
  if (!before) return false
  const { later, ...present } = await findProtections(sql, userId)
  const { delayHours, dailyLimit, allowedOnly } = restoredProtections({ before, present })
  return (
    later !== undefined ||
    delayHours !== present.delayHours ||
    dailyLimit !== present.dailyLimit ||
    allowedOnly !== present.allowedOnly
  )
}
