import { repayDebt } from '#core/deposits/settlement.ts'
import type { Context } from '#server/context.ts'
import { publishMoney } from '#server/events/bus.ts'
import { lockCashAndDebt } from '#server/ledger/read.ts'
import { postBooking } from './post-booking.ts'
import { findDebtorsWithCash } from './store.ts'

/**
 * Repays debts with cash that did not come from a deposit: from a closed bot or a canceled
 * withdrawal.
 */
export async function repayDebts(context: Context): Promise<void> {
  for (const userId of await findDebtorsWithCash(context.sql)) {
    await context.atomically(async (tx) => {
      const booking = repayDebt({ userId, funds: await lockCashAndDebt(tx.sql, userId) })
      if (!booking) return
      await postBooking(context, tx, {
        userId,
        dedupKey: `debt-repaid:${context.newId()}`,
        booking,
      })
      await publishMoney(tx.sql, userId, ['withdrawals'])
    })
  }
}
