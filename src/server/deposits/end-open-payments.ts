import type { Context } from '#server/context.ts'
import { settleDeposit } from './settle-deposit.ts'
import { findOpenIntentsOf, markAbandoned } from './store.ts'

/**
 * Cancels card payments that the user began and did not finish, so that they can never be paid. One
 * that was paid meanwhile is credited instead.
 */
export async function endOpenPayments(context: Context, userId: string): Promise<void> {
  const { sql, payments } = context
  for (const { id } of await findOpenIntentsOf(sql, { userId, provider: payments.provider })) {
    const received = await settleDeposit(context, id)
    if (received === undefined && ((await payments.cancelIntent?.(id)) ?? true))
      await markAbandoned(sql, { userId, id })
  }
}
