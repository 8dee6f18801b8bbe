import { lossStep } from '#core/notices/account-figures.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Context } from '#server/context.ts'
import { figuresOf, ledgerColumns, type LedgerRow } from './send-digests.ts'
import { notify } from './notify.ts'

type Watched = LedgerRow & { userId: string; limit: Units; isReported: boolean }

/**
 * Notifies users whose trading loss reached their limit: once, until the loss is well below the
 * limit again.
 */
export async function reportLosses(context: Context): Promise<void> {
  const watched = await context.sql<Watched[]>`
    select u.id as user_id, n.loss_limit as limit, n.loss_reported as is_reported,
           ${ledgerColumns}
      from notice_settings n join users u on u.id = n.user_id where n.loss_limit is not null`
  for (const user of watched) {
    const { result } = figuresOf(user).totals
    const step = lossStep({ ...user, result })
    if (step) await report(context, { ...user, result, isReported: step === 'report' })
  }
}

/** Does nothing if another process did it, or if the user has changed the limit. */
async function report(
  { atomically, newId }: Context,
  {
    userId,
    limit,
    result,
    isReported,
  }: Pick<Watched, 'userId' | 'limit' | 'isReported'> & { result: Units },
): Promise<void> {
  await atomically(async ({ sql }) => {
    const { count } = await sql`
      update notice_settings set loss_reported = ${isReported}
       where user_id = ${userId} and loss_limit = ${limit} and loss_reported <> ${isReported}`
    if (count === 0 || !isReported) return
    const details = { loss: unitsToDecimal(-result, 2), limit: unitsToDecimal(limit, 2) }
    await notify(sql, { userId, kind: 'loss-limit', event: `loss:${newId()}`, details })
  })
}
