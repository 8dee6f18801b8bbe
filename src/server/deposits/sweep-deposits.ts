import type { Context } from '#server/context.ts'
import { settleDeposit } from './settle-deposit.ts'
import { markAbandoned, takeOpenIntents } from './store.ts'

/** Payments asked about in one sweep at most; the rest has its turn in the next. */
const MOST_INTENTS = 500
/**
 * Stripe tells of a payment for three days, and nobody pays a form of last week. An intent that is older is canceled at the provider, so that
 * it can never be paid, and then given up; one that was paid at the last moment is credited instead.
 */
const ABANDON_AFTER_HOURS = 7 * 24

/** Credits payments whose confirmation never arrived: the tab was closed, the answer lost, the webhook missed. */
export async function sweepDeposits(context: Context): Promise<void> {
  const { sql, payments, log } = context
  const open = await takeOpenIntents(sql, { provider: payments.provider, limit: MOST_INTENTS, abandonAfterHours: ABANDON_AFTER_HOURS })
  for (const { id, isOld } of open) {
    try {
      const received = await settleDeposit(context, id)
      if (received !== undefined || !isOld) continue
      if ((await payments.cancelIntent?.(id)) ?? true) await markAbandoned(sql, id)
    } catch (error) {
      // The provider or the database is away: this one is asked about again at the next turn, and does not hold up the others.
      log.warn({ err: error, intentId: id }, 'an open payment could not be settled')
    }
  }
}
