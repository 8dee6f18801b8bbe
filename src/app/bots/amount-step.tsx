import type { ShownRefusal } from '#contract/problem.ts'
import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { AmountField } from '#app/ui/forms/amount-field.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { isTypedPositive, shareOf } from '#app/ui/money/typed-amount.ts'
import { Money } from '#app/ui/money/money.tsx'
import { pairsText } from '#app/market/pair-text.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { BacktestPreview } from './backtest-preview.tsx'
import { BotEvidence } from './bot-evidence.tsx'
import type { BotDraft, EnteredBot } from './bot-draft.ts'
import { FeeExample } from './fee-example.tsx'
import { GuardsPart } from './guards-part.tsx'
import { PlanPart } from './plan-part.tsx'
import { problemOf } from './use-problems.ts'

const SHARES = [25, 50, 75, 100] as const

/** The last step: the name, the amount, and what this bot would have done with it. */
export function AmountStep({
  bot,
  available,
  problems,
  onChange,
}: {
  bot: EnteredBot
  available: string
  problems: readonly ShownRefusal[]
  onChange: (part: Partial<BotDraft>) => void
}) {
  const canInvest = decimalToUnits(available) >= MINIMUM_INVESTMENT
  const change = (investmentAmount: string) => onChange({ investmentAmount })
  return (
    <div className="flex flex-col gap-5">
      <p className="text-14 text-ink2">
        {strategyTitle(bot)} · {pairsText(bot.tradingPairs) || t('no coins')}
      </p>
      <TextField
        label={t('Bot name')}
        name="name"
        autoComplete="off"
        value={bot.name}
        error={problemOf(problems, 'name')}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <div className="flex flex-col gap-3">
        <AmountField
          label={t('Investment amount')}
          name="investmentAmount"
          value={bot.investmentAmount}
          error={problemOf(problems, 'investmentAmount')}
          onChange={change}
          hint={
            <Trans message="Available balance: {amount}" amount={<Money amount={available} />} />
          }
        />
        {canInvest ? (
          <ChoiceRow
            label={t('Share of the available balance')}
            choices={SHARES.map((percent) => ({
              text: percent === 100 ? t('Max') : t('{percent}%', { percent }),
              value: shareOf(available, percent),
            }))}
            chosen={isTypedPositive(bot.investmentAmount) ? bot.investmentAmount : ''}
            onChoose={change}
          />
        ) : (
          <LinkButton href="/deposit" look="outline">
            {t('Deposit|verb')}
          </LinkButton>
        )}
      </div>
      <GuardsPart bot={bot} problems={problems} onChange={onChange} />
      <PlanPart
        value={bot.savings}
        problems={problems}
        onChange={(savings) => onChange({ savings })}
      />
      <BacktestPreview bot={bot} />
      <BotEvidence bot={bot} />
      <FeeExample strategy={bot.strategy} />
    </div>
  )
}
