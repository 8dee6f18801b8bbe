import { unitsToDecimal } from '#core/money/decimal.ts'
import { looseningHours, type Protections } from '#core/withdrawals/protections.ts'
import type { WithdrawalProtections } from '#contract/withdrawals.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { findProtections } from './protection-store.ts'

export const getProtections: Handler<'getProtections'> = (context, { userId }) =>
  readProtections(context, context.sql, userId)

/** The protections as their user sees them. */
export async function readProtections(
  { config }: Pick<Context, 'config'>,
  sql: Queries,
  userId: string,
): Promise<WithdrawalProtections> {
  const { later, ...present } = await findProtections(sql, userId)
  return {
    ...show(present),
    looserAfterHours: looseningHours(present, config.WITHDRAWAL_HOLD_HOURS),
    later: later ? { ...show(later), from: later.from.toISOString() } : null,
  }
}

function show({ delayHours, dailyLimit, allowedOnly }: Protections) {
  return {
    delayHours,
    dailyLimit: dailyLimit === undefined ? null : unitsToDecimal(dailyLimit, 2),
    allowedOnly,
  }
}
