import { DAY_MS } from '#core/market/candle.ts'
import type { Context } from '#server/context.ts'
import { settleDeposit } from './settle-deposit.ts'
import {
  findEventsSeen,
  findOpenIntents,
  markAbandoned,
  setEventsSeen,
  takeOpenIntent,
  findOpenIntentsOf,
} from './store.ts'

/** Payments polled in one sweep at most; the next sweep takes the rest. */
const MOST_INTENTS = 500
/**
 * Stripe resends webhooks for three days. An older intent is canceled at the provider before it is
 * abandoned; if it was paid at the last moment, it is credited.
 */
const ABANDON_AFTER_HOURS = 7 * 24

/** Events appear in the list with a delay, so sweeps overlap by this much. */
const OVERLAP_MS = 600_000
const FIRST_LOOK_MS = 3 * DAY_MS

/**
 * Settles payments without a confirmation or webhook, because the tab was closed or a message was
 * lost.
 */
export async function sweepDeposits(context: Context): Promise<void> {
  await sweepOpen(context)
  await sweepEvents(context)
}

/** Finds refunds and disputes of payments credited long ago, in the provider's event list. */
async function sweepEvents(context: Context): Promise<void> {
  const { sql, payments, now, log } = context
  if (!payments.changedSince) return
  const seen =
    (await findEventsSeen(sql, payments.provider)) ?? new Date(now().getTime() - FIRST_LOOK_MS)
  const { intentIds, until } = await payments.changedSince(new Date(seen.getTime() - OVERLAP_MS))
  const failed: string[] = []
  for (const id of intentIds) {
    await settleDeposit(context, id).catch((error: unknown) => {
      log.warn(
        { err: error, intentId: id },
        'a payment that changed at the provider could not be settled',
      )
      failed.push(id)
    })
  }
  // Not noted if a settlement failed: then the list is read again from the same time, until
  // everything in it is settled.
  if (failed.length === 0 && until > seen)
    await setEventsSeen(sql, { provider: payments.provider, until })
}

/** Polls payments that were never confirmed. */
async function sweepOpen(context: Context): Promise<void> {
  const { sql, payments, log } = context
  const open = await findOpenIntents(sql, {
    provider: payments.provider,
    limit: MOST_INTENTS,
    abandonAfterHours: ABANDON_AFTER_HOURS,
  })
  for (const { isOld, ...key } of open) {
    const { id } = key
    try {
      if (!(await takeOpenIntent(sql, key))) continue
      const received = await settleDeposit(context, id)
      if (received !== undefined || !isOld) continue
      if ((await payments.cancelIntent?.(id)) ?? true) await markAbandoned(sql, key)
    } catch (error) {
      log.warn({ err: error, intentId: id }, 'an open payment could not be settled')
    }
  }
}

/** Cancels unfinished card payments. One that was paid meanwhile is credited. */
export async function endOpenPayments(context: Context, userId: string): Promise<void> {
  const { sql, payments } = context
  for (const { id } of await findOpenIntentsOf(sql, { userId, provider: payments.provider })) {
    const received = await settleDeposit(context, id)
    if (received === undefined && ((await payments.cancelIntent?.(id)) ?? true))
      await markAbandoned(sql, { userId, id })
  }
}
