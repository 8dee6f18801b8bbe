import type { ShownRefusal } from '#contract/problem.ts'
import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { riskTitle } from '#core/strategy/risk-level.ts'
import { AmountField } from '#app/ui/forms/amount-field.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { isPositiveAmount, shareOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { pairsText } from '#app/market/pair-text.ts'
import { BacktestPreview } from './backtest-preview.tsx'
import type { BotDraft, EnteredBot } from './bot-draft.ts'
import { FeeExample } from './fee-example.tsx'
import { problemOf } from './use-problems.ts'

const SHARES = [
  { percent: 25, text: '25%' },
  { percent: 50, text: '50%' },
  { percent: 75, text: '75%' },
  { percent: 100, text: 'Max' },
] as const

type Props = {
  bot: EnteredBot
  available: string
  problems: readonly ShownRefusal[]
  onChange: (part: Partial<BotDraft>) => void
}

/** The last step: the name, the amount, and what this bot would have done with it. */
export function AmountStep({ bot, available, problems, onChange }: Props) {
  const canInvest = decimalToUnits(available) >= MINIMUM_INVESTMENT
  const change = (investmentAmount: string) => onChange({ investmentAmount })
  return (
    <div className="flex flex-col gap-5">
      <p className="text-14 text-ink2">
        {riskTitle(bot.riskLevel)} · {pairsText(bot.tradingPairs) || 'no coins'}
      </p>
      <TextField
        label="Bot name"
        name="name"
        maxLength={50}
        autoComplete="off"
        value={bot.name}
        error={problemOf(problems, 'name')}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <div className="flex flex-col gap-3">
        <AmountField
          label="Investment amount"
          name="investmentAmount"
          value={bot.investmentAmount}
          error={problemOf(problems, 'investmentAmount')}
          onChange={change}
          hint={
            <>
              Available balance: <Money amount={available} />
            </>
          }
        />
        {canInvest ? (
          <ChoiceRow
            label="Share of the available balance"
            choices={SHARES.map(({ percent, text }) => ({ text, value: shareOf(available, percent) }))}
            chosen={isPositiveAmount(bot.investmentAmount) ? bot.investmentAmount : ''}
            onChoose={change}
          />
        ) : (
          <LinkButton href="/deposit" look="outline">
            Deposit
          </LinkButton>
        )}
      </div>
      <BacktestPreview bot={bot} />
      <FeeExample />
    </div>
  )
}
