import type { NextDay } from '#contract/forecasts.ts'
import { AHEAD } from '#core/forecast/rows.ts'
import { GUARD_LIMITS } from '#core/guards/guard-settings.ts'
import { typedText } from '#core/typed-text.ts'
import { countText, withPercent } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useAnswer } from '#app/api/queries.ts'
import { percentText } from '#app/ui/money/money.tsx'

type GuardChanceProps = { typed: string; nextDay: NextDay | null | undefined; isRise?: boolean }

/**
 * The chance that the bot falls or rises from now by the percentage typed for a guard. The guard
 * itself counts from the money put in, a high or midnight.
 */
export function GuardChance({ typed, nextDay, isRise = false }: GuardChanceProps) {
  const text = typedText(typed)
  const percent = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (!nextDay || percent < GUARD_LIMITS.stopLossPercent.least) return null
  const values = {
    percent: withPercent(countText(percent)),
    hours: countText(AHEAD),
    chance: chanceText(isRise ? nextDay.rises : nextDay.falls, percent),
  }
  return (
    <p className="text-14 text-pretty text-ink2">
      {isRise
        ? t('Chance of a rise of {percent} from now within {hours} hours: {chance}.', values)
        : t('Chance of a fall of {percent} from now within {hours} hours: {chance}.', values)}{' '}
      {!isRise && <Happened chance={nextDay.falls[percent - 1] ?? 0} />}
    </p>
  )
}

/** The share of past forecasts of about this chance after which the fall happened. */
function Happened({ chance }: { chance: number }) {
  const past = useAnswer(['getForecasts'], {}).data?.scores.botChances.find(
    ({ from, to }) => chance >= from && chance < to,
  )
  if (!past) return null
  return t('When the forecast was {from} to {to}, it happened in {happened} of {count} cases.', {
    from: withPercent(String(past.from)),
    to: withPercent(String(past.to)),
    happened: percentText(past.happenedPercent, { sign: 'never' }),
    count: countText(past.days),
  })
}

/** `chances`: in whole percents, of a change of 1, 2, 3 … percent. */
export function chanceText(chances: readonly number[], percent: number): string {
  const chance = chances[percent - 1] ?? 0
  return chance === 0
    ? t('under {percent}', { percent: withPercent('1') })
    : withPercent(String(chance))
}
