import { t } from '#words/words.ts'
import { worthAfter } from '#app/evidence/worth-after.ts'
import { pairsText } from '#app/market/market-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { isTypedPositive, readAmount } from '#app/ui/money/typed-amount.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import type { EnteredBot } from './bot-draft.ts'
import { useBotEvidence } from './bot-queries.ts'
import { hasTypedGuard } from './guard-draft.ts'
import { isPlan } from './plan-input.ts'

/**
 * The worth that the amount would have had after any past 12 months, floored to dollars, without
 * guards and plan. Its place is kept while the figures are unknown.
 */
export function BotOutcome({ bot }: { bot: EnteredBot }) {
  const { data } = useBotEvidence(bot)
  const amount = readAmount(bot.investmentAmount)
  if (
    data?.state !== 'figures' ||
    amount === undefined ||
    !isTypedPositive(bot.investmentAmount) ||
    hasTypedGuard(bot.guards) ||
    isPlan(bot.savings)
  )
    return <p className="min-h-[2lh] text-14" />
  const worth = ({ percent }: { percent: string }) => (
    <Money amount={worthAfter(amount, percent)} precision="whole" className="font-semibold" />
  )
  return (
    <p className="flex min-h-[2lh] flex-wrap justify-between gap-x-3 text-14">
      <span className="w-full">
        {t('Hypothetical, any past 12 months')}
        {data.missing.length > 0 && `. ${t('Without {pairs}', { pairs: pairsText(data.missing) })}`}
      </span>
      <span>
        <Trans message="{worst}–{best}" worst={worth(data.worst)} best={worth(data.best)} />
      </span>
      <span>
        <Trans message="median {amount}" amount={worth(data.median)} />
      </span>
    </p>
  )
}
