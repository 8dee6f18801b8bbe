import type { GuardField } from '#core/guards/guard-settings.ts'
import type { NextDay } from '#contract/forecasts.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import { t } from '#words/words.ts'
import type { FieldErrors } from '#app/api/form.tsx'
import { GuardTable } from '#app/evidence/guard-table.tsx'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { Field, INPUT_STYLE } from '#app/ui/forms/fields.tsx'
import { GuardChance } from './guard-chance.tsx'
import { hasTypedGuard, type GuardDraft } from './guard-draft.ts'

type GuardFieldsProps = {
  value: GuardDraft
  /** The next day of the guarded bot, if there is a forecast. */
  nextDay: NextDay | null | undefined
  errors: FieldErrors<GuardField>
  onChange: (part: Partial<GuardDraft>) => void
}

export function GuardFields({ value, nextDay, errors, onChange }: GuardFieldsProps) {
  const field = fieldOf({ value, errors, onChange })
  return (
    <div className="flex flex-col gap-5">
      <StopFields {...{ value, nextDay, errors, onChange }} />
      <div className="flex flex-col gap-3">
        <NumberField
          label={t('Take profit at a gain of')}
          unit="%"
          hint={t('Sells to cash when the bot has gained this much on the money put in.')}
          {...field('takeProfitPercent')}
        />
        <GuardChance typed={value.takeProfitPercent} nextDay={nextDay} isRise />
      </div>
      <div className="flex flex-col gap-3">
        <NumberField
          label={t('Pause after a daily loss of')}
          unit="%"
          hint={t('Sells to cash and restarts on the next market day (UTC).')}
          {...field('dailyLossPercent')}
        />
        <GuardChance typed={value.dailyLossPercent} nextDay={nextDay} />
      </div>
      {hasTypedGuard(value) && (
        <NumberField
          label={t('Restart after')}
          unit={t('days')}
          hint={t(
            'After a stop or a profit taken. Empty: the bot waits in cash until you resume it.',
          )}
          {...field('coolDownDays')}
        />
      )}
    </div>
  )
}

const fieldOf =
  ({ value, errors, onChange }: Omit<GuardFieldsProps, 'nextDay'>) =>
  (name: GuardField) => ({
    name,
    value: value[name],
    error: errors[name],
    onChange: (typed: string) => onChange({ [name]: typed }),
  })

function StopFields({ value, nextDay, errors, onChange }: GuardFieldsProps) {
  return (
    <div className="flex flex-col gap-3">
      <NumberField
        label={t('Stop at a loss of')}
        unit="%"
        hint={t('Sells to cash when the bot is worth this much less.')}
        {...fieldOf({ value, errors, onChange })('stopLossPercent')}
      />
      <GuardChance typed={value.stopLossPercent} nextDay={nextDay} />
      {value.stopLossPercent.trim() !== '' && (
        <ChoiceRow
          hasWords
          isLabelShown
          label={t('Measure the loss from')}
          choices={[
            { value: 'invested', text: t('Money put in') },
            { value: 'best', text: t('Its high') },
          ]}
          chosen={value.stopLossFrom}
          onChoose={(stopLossFrom) => onChange({ stopLossFrom })}
        />
      )}
    </div>
  )
}

/** A whole number as text. A number input would accept '1e1' and change when scrolled over. */
function NumberField({
  label,
  unit,
  hint,
  name,
  value,
  error,
  onChange,
}: {
  label: string
  unit: string
  hint: string
  name: string
  value: string
  error: string | undefined
  onChange: (typed: string) => void
}) {
  return (
    <Field label={label} hint={hint} error={error} optional>
      {(wiring) => (
        <div className="relative">
          <input
            {...wiring}
            type="text"
            name={name}
            inputMode="numeric"
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={`${INPUT_STYLE} pr-16`}
          />
          <span
            aria-hidden="true"
            className={
              'pointer-events-none absolute inset-y-0 right-4 flex items-center text-16 ' +
              'text-ink2'
            }
          >
            {unit}
          </span>
        </div>
      )}
    </Field>
  )
}

export function GuardNote({ strategy }: { strategy: StrategyKey }) {
  return (
    <>
      <p className="text-14 text-pretty text-ink2">
        {t(
          'Guards check the price at the end of each market hour, and the bot sells at ' +
            'the next price. In a fast fall, you can lose more than you chose. A sale ' +
            'costs a little, and a bot out of the market misses its rises too.',
        )}
      </p>
      <section aria-label={t('Guards in the past')}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h3 className="text-16 font-semibold">{t('Guards in the past')}</h3>
          <HypotheticalMark />
        </div>
        <GuardTable strategy={strategy} />
      </section>
    </>
  )
}
