import { DAY_MS } from '#core/market/candle.ts'
import type { Context } from '#server/context.ts'
import { settleDeposit } from './settle-deposit.ts'
import { findEventsSeen, findOpenIntents, markAbandoned, setEventsSeen, takeOpenIntent } from './store.ts'

/** Payments asked about in one sweep at most; the rest has its turn in the next. */
const MOST_INTENTS = 500
/**
 * Stripe tells of a payment for three days, and nobody pays a form of last week. An intent that is older is canceled at the provider, so that
 * it can never be paid, and then given up; one that was paid at the last moment is credited instead.
 */
const ABANDON_AFTER_HOURS = 7 * 24

/** Events are listed a little late: so much of the list is gone through twice. */
const OVERLAP_MS = 600_000
const FIRST_LOOK_MS = 3 * DAY_MS

/** Makes good what nobody told us: the tab was closed, the answer lost, the webhook missed. */
export async function sweepDeposits(context: Context): Promise<void> {
  await sweepOpen(context)
  await sweepEvents(context)
}

/** Refunds and disputes of payments that are long credited, in the provider's own list of what happened. */
async function sweepEvents(context: Context): Promise<void> {
  const { sql, payments, now, log } = context
  if (!payments.changedSince) return
  const seen = (await findEventsSeen(sql, payments.provider)) ?? new Date(now().getTime() - FIRST_LOOK_MS)
  const { intentIds, until } = await payments.changedSince(new Date(seen.getTime() - OVERLAP_MS))
  const failed: string[] = []
  for (const id of intentIds) {
    await settleDeposit(context, id).catch((error: unknown) => {
      log.warn({ err: error, intentId: id }, 'a payment that something happened to could not be settled')
      failed.push(id)
    })
  }
  // What could not be settled is in the list again at the next turn.
  if (failed.length === 0 && until > seen) await setEventsSeen(sql, { provider: payments.provider, until })
}

/** Asks about payments that were never confirmed. */
async function sweepOpen(context: Context): Promise<void> {
  const { sql, payments, log } = context
  const open = await findOpenIntents(sql, { provider: payments.provider, limit: MOST_INTENTS, abandonAfterHours: ABANDON_AFTER_HOURS })
  for (const { isOld, ...key } of open) {
    const { id } = key
    try {
      if (!(await takeOpenIntent(sql, key))) continue
      const received = await settleDeposit(context, id)
      if (received !== undefined || !isOld) continue
      if ((await payments.cancelIntent?.(id)) ?? true) await markAbandoned(sql, key)
    } catch (error) {
      // The provider or the database is away: this one is asked about again at the next turn, and does not hold up the others.
      log.warn({ err: error, intentId: id }, 'an open payment could not be settled')
    }
  }
}
