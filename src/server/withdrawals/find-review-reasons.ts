import { ONE, type Units } from '#core/money/amount.ts'
import { reviewReasons, YOUNG_HOURS, type ReviewReason } from '#core/withdrawals/review.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { sumYoungDeposits } from '#server/deposits/held-deposits.ts'

type Asked = {
  userId: string
  amount: Units
  available: Units
  requested: { amount: Units; count: number }
}

/**
 * Why an operator must look at this withdrawal before it is sent, by the limits of the settings.
 */
export async function findReviewReasons(
  context: Context,
  tx: Queries,
  { userId, ...asked }: Asked,
): Promise<ReviewReason[]> {
  const { WITHDRAWAL_REVIEW_AMOUNT, WITHDRAWAL_REVIEW_COUNT, WITHDRAWAL_REVIEW_YOUNG } =
    context.config
  const youngDeposits = await sumYoungDeposits(tx, { userId, hours: YOUNG_HOURS })
  const limits = {
    amount: BigInt(WITHDRAWAL_REVIEW_AMOUNT) * ONE,
    count: WITHDRAWAL_REVIEW_COUNT,
    youngDeposits: BigInt(WITHDRAWAL_REVIEW_YOUNG) * ONE,
  }
  return reviewReasons({ ...asked, youngDeposits }, limits)
}
