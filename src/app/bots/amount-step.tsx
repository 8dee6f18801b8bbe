import { useState } from 'react'
import { MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import { GUARD_FIELDS } from '#core/guards/guard-settings.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { strategyKey, type StrategyKind } from '#core/strategy/strategy-key.ts'
import { digitsText } from '#words/figures.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import type { FieldErrors } from '#app/api/form.tsx'
import { useConfig } from '#app/api/queries.ts'
import { pairsText } from '#app/market/market-text.ts'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { AmountField, TextField } from '#app/ui/forms/fields.tsx'
import { ShareChoice } from '#app/ui/forms/share-choice.tsx'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { differenceOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { BacktestPreview } from './backtest-preview.tsx'
import { NewBotDay } from './bot-day.tsx'
import type { BotField } from './bot-checks.ts'
import type { BotDraft, EnteredBot } from './bot-draft.ts'
import { BotEvidence } from './bot-evidence.tsx'
import { useBotForecast } from './bot-queries.ts'
import { hasTypedGuard } from './guard-draft.ts'
import { GuardFields, GuardNote } from './guard-fields.tsx'
import { PlanFields } from './plan-fields.tsx'
import { isPlan, type TypedPlan } from './plan-input.ts'

export function AmountStep({
  bot,
  available,
  errors,
  onChange,
}: {
  bot: EnteredBot
  available: string
  errors: FieldErrors<BotField>
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
        error={errors.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <div className="flex flex-col gap-3">
        <AmountField
          label={t('Investment amount')}
          name="investmentAmount"
          value={bot.investmentAmount}
          error={errors.investmentAmount}
          onChange={change}
          hint={
            <Trans message="Available balance: {amount}" amount={<Money amount={available} />} />
          }
        />
        {canInvest ? (
          <ShareChoice available={available} typed={bot.investmentAmount} onChoose={change} />
        ) : (
          <LinkButton href="/deposit" look="outline">
            {t('Deposit|verb')}
          </LinkButton>
        )}
      </div>
      <GuardsPart bot={bot} errors={errors} onChange={onChange} />
      <PlanPart value={bot.savings} errors={errors} onChange={(savings) => onChange({ savings })} />
      <NewBotDay bot={bot} />
      <BacktestPreview bot={bot} />
      <BotEvidence bot={bot} />
      <FeeExample strategy={bot.strategy} />
    </div>
  )
}

function GuardsPart({
  bot,
  errors,
  onChange,
}: {
  bot: EnteredBot
  errors: FieldErrors<BotField>
  onChange: (part: Partial<BotDraft>) => void
}) {
  const { guards } = bot
  const [isOpen, setOpen] = useState(false)
  const nextDay = useBotForecast(bot).data?.nextDay
  const hasProblem = GUARD_FIELDS.some((field) => errors[field] !== undefined)
  return (
    <Disclosure
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-sheet border border-hairline bg-surface px-4"
      summary={
        <span>
          {t('Guards (optional)')}
          <span className="block text-14 font-normal text-ink2">
            {hasTypedGuard(guards)
              ? t('Set below')
              : t('Stop at a loss, take profit, pause after a bad day')}
          </span>
        </span>
      }
    >
      <div className="flex flex-col gap-4 pt-2 pb-4">
        <GuardFields
          value={guards}
          nextDay={nextDay}
          errors={errors}
          onChange={(part) => onChange({ guards: { ...guards, ...part } })}
        />
        {isOpen && <GuardNote strategy={strategyKey(bot)} />}
      </div>
    </Disclosure>
  )
}

function PlanPart({
  value,
  errors,
  onChange,
}: {
  value: TypedPlan
  errors: FieldErrors<BotField>
  onChange: (savings: TypedPlan) => void
}) {
  // Undefined at first, because a stored draft is known only after the first rendering.
  const [open = isPlan(value), setOpen] = useState<boolean>()
  const { planAmount, takeAbove } = errors
  const isFaulty = planAmount !== undefined || takeAbove !== undefined
  return (
    <Disclosure
      summary={t('Add regularly')}
      open={open || isFaulty}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="border-y border-hairline"
    >
      <div className="flex flex-col gap-5 pb-4">
        <p className="text-14 text-ink2">
          {t(
            'A plan adds a sum from your balance every week or month. The first time is ' +
              'one period after the start. You can change or end it at any time.',
          )}
        </p>
        <PlanFields
          value={value}
          errors={{ amount: planAmount, takeAbove }}
          amountName="planAmount"
          onChange={(part) => onChange({ ...value, ...part })}
        />
      </div>
    </Disclosure>
  )
}

/** Explains the fee before the first investment. On a profit of $100, a fee of n percent is $n. */
function FeeExample({ strategy }: { strategy: StrategyKind }) {
  const config = useConfig().data
  if (config === undefined) return null
  const percentage = strategy === 'hold' ? config.holdFeePercentage : config.feePercentage
  if (percentage === '0.00')
    return (
      <p className="border-t border-hairline pt-4 text-14 text-ink2">
        {t(
          'Hold bots pay us no fee on their profit. You pay only the costs of buying and selling.',
        )}
      </p>
    )
  return (
    <section aria-label={t('Fee')} className="border-t border-hairline pt-4">
      <p className="text-14 text-ink2">
        {t(
          'Our fee is {percent}% of the profit that you take out of a bot. You pay it once, when the money leaves the bot.',
          { percent: digitsText(percentage) },
        )}{' '}
        {t('Without a profit you pay nothing. For example:')}
      </p>
      <Receipt
        lines={[
          { label: t('Profit that you take out'), value: <Money own={false} amount="100.00" /> },
          { label: t('Our fee'), value: <Money own={false} amount={`-${percentage}`} /> },
          {
            label: t('You keep'),
            value: <Money own={false} amount={differenceOf('100.00', percentage)} />,
            isTotal: true,
          },
        ]}
      />
    </section>
  )
}
