import type { Bot } from '#contract/bots.ts'
import { useConfig } from '#app/api/queries.ts'
import { isPositiveAmount, sumOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { forecastClosing } from './take-out-forecast.ts'

/** The cost of selling the coins of these bots; nothing for bots that hold only cash. */
export function SellingCost({ bots }: { bots: readonly Bot[] }) {
  const costBps = useConfig().data?.tradingCostBps ?? 0
  const cost = sumOf(...bots.map((bot) => forecastClosing(bot, costBps).cost))
  if (!isPositiveAmount(cost)) return null
  return (
    <Trans
      message="Selling costs about {cost}, which is already taken off."
      cost={<Money amount={cost} className="font-semibold text-ink" />}
    />
  )
}
