import { PLAN_PERIODS, type PlanPeriod } from '#core/bots/savings-plan.ts'
import { msg, say, t } from '#words/words.ts'
import type { FieldErrors } from '#app/api/form.tsx'
import { AmountField } from '#app/ui/forms/fields.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import type { TypedPlan } from './plan-input.ts'

export function PlanFields({
  value: { amount, every, line },
  onChange,
  errors,
  amountName = 'amount',
}: {
  value: TypedPlan
  onChange: (part: Partial<TypedPlan>) => void
  errors: FieldErrors<'amount' | 'takeAbove'>
  amountName?: string
}) {
  return (
    <>
      <AmountField
        label={t('Amount each time')}
        name={amountName}
        value={amount}
        error={errors.amount}
        onChange={(typed) => onChange({ amount: typed })}
      />
      <ChoiceRow
        label={t('How often')}
        choices={PLAN_PERIODS.map((period) => ({ text: periodTitle(period), value: period }))}
        chosen={every}
        onChoose={(period) => onChange({ every: period })}
        hasWords
      />
      <AmountField
        label={t('Return everything above this worth (optional)')}
        name="takeAbove"
        value={line}
        error={errors.takeAbove}
        onChange={(typed) => onChange({ line: typed })}
        hint={t(
          'While the bot is worth more than this, nothing is added. The excess goes ' +
            'back to your balance, minus our fee on its profit.',
        )}
      />
    </>
  )
}

const TITLES: Record<PlanPeriod, string> = { week: msg('Every week'), month: msg('Every month') }

export function periodTitle(period: PlanPeriod): string {
  return say(TITLES[period])
}
