import { useState } from 'react'
import { GUARD_FIELDS } from '#core/guards/guard-settings.ts'
import { strategyKey, type StrategyKind } from '#core/strategy/strategy-key.ts'
import { digitsText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import type { FieldErrors } from '#app/api/form.tsx'
import { useConfig } from '#app/api/queries.ts'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { differenceOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { BacktestPreview } from './backtest-preview.tsx'
import { NewBotDay } from './bot-day.tsx'
import type { BotField } from './bot-checks.ts'
import type { BotDraft, EnteredBot } from './bot-draft.ts'
import { BotEvidence } from './bot-evidence.tsx'
import { useBotForecast } from './bot-queries.ts'
import { hasTypedGuard } from './guard-draft.ts'
import { GuardFields, GuardNote } from './guard-fields.tsx'
import { PlanFields } from './plan-fields.tsx'
import { isPlan } from './plan-input.ts'

export type PartProps = {
  bot: EnteredBot
  errors: FieldErrors<BotField>
  onChange: (part: Partial<BotDraft>) => void
}

/** Optional settings, and figures that are computed only once it is open. */
export function MoreChoices(props: PartProps) {
  const { bot, errors } = props
  // Undefined at first, because a stored draft is known only after the first rendering.
  const [isOpen = isPlan(bot.savings) || hasTypedGuard(bot.guards), setOpen] = useState<boolean>()
  const isWrong = ([...GUARD_FIELDS, 'planAmount', 'takeAbove'] as const).some(
    (field) => errors[field] !== undefined,
  )
  const open = isOpen || isWrong
  return (
    <Disclosure
      summary={t('Guards, plan, fee')}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      ref={(door) => {
        // It may have been opened before scripts loaded.
        if (door?.open) setOpen(true)
      }}
      className="border-y border-hairline"
    >
      {open && <More {...props} />}
    </Disclosure>
  )
}

function More({ bot, errors, onChange }: PartProps) {
  const nextDay = useBotForecast(bot).data?.nextDay
  return (
    <div className="flex flex-col gap-5 pt-2 pb-4">
      <h3 className="text-17 font-semibold">{t('Guards (optional)')}</h3>
      <GuardFields
        value={bot.guards}
        nextDay={nextDay}
        errors={errors}
        onChange={(part) => onChange({ guards: { ...bot.guards, ...part } })}
      />
      <GuardNote strategy={strategyKey(bot)} />
      <h3 className="text-17 font-semibold">{t('Add regularly')}</h3>
      <p className="text-14 text-ink2">
        {t(
          'A plan adds a sum from your balance every week or month. The first time is ' +
            'one period after the start. You can change or end it at any time.',
        )}
      </p>
      <PlanFields
        value={bot.savings}
        errors={{ amount: errors.planAmount, takeAbove: errors.takeAbove }}
        amountName="planAmount"
        onChange={(part) => onChange({ savings: { ...bot.savings, ...part } })}
      />
      <NewBotDay bot={bot} />
      <BacktestPreview bot={bot} />
      <BotEvidence bot={bot} />
      <FeeExample strategy={bot.strategy} />
    </div>
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
