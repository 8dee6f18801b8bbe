import { worthAfter } from '#app/evidence/put-in.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { isTypedPositive, readAmount } from '#app/ui/money/typed-amount.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import type { EnteredBot } from './bot-draft.ts'
import { useBotEvidence } from './bot-queries.ts'

/**
 * The worth of the amount after any 12 months of the past, floored to dollars. Its place is kept
 * while the figures are unknown.
 */
export function BotOutcome({ bot }: { bot: EnteredBot }) {
  const { data } = useBotEvidence(bot)
  const amount = readAmount(bot.investmentAmount)
  if (data?.state !== 'figures' || amount === undefined || !isTypedPositive(bot.investmentAmount))
    return <p className="min-h-[1lh] text-14" />
  const worth = ({ percent }: { percent: string }) => (
    <Money amount={worthAfter(amount, percent)} precision="whole" className="font-semibold" />
  )
  return (
    <p className="flex min-h-[1lh] flex-wrap justify-between gap-x-3 text-14">
      <span>
        <Trans
          message="Any past 12 months: {worst}–{best}"
          worst={worth(data.worst)}
          best={worth(data.best)}
        />
      </span>
      <span>
        <Trans message="median {amount}" amount={worth(data.median)} />
      </span>
    </p>
  )
}
