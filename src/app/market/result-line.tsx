import type { ReactNode } from 'react'
import { signOf } from '#core/money/text.ts'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { Change, Money } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/**
 * A result and its period. On the first day with trades, whose fees are `firstFees`, a loss up to
 * them has the color of text, and the fees stand in place of the period: without them it would be
 * no loss.
 */
export function ResultLine({
  amount,
  percent,
  firstFees,
  children,
}: {
  amount: string
  percent: string
  firstFees: string | undefined
  children: ReactNode
}) {
  const isFees =
    firstFees !== undefined && signOf(amount) < 0 && signOf(sumOf(amount, firstFees)) >= 0
  return (
    <p className="flex flex-wrap items-baseline gap-x-1.5 text-16 font-medium">
      <Change amount={amount} percent={percent} isFees={isFees} />
      {isFees ? (
        <span className="text-14 font-normal text-ink2">
          <Trans message="{fees} trading fees so far" fees={<Money amount={firstFees} />} />
        </span>
      ) : (
        children
      )}
    </p>
  )
}
