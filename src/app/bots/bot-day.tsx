import type { BotPerformance } from '#contract/bots.ts'
import type { NextDay as Forecast } from '#contract/forecasts.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { withPercent } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { chanceText, NextDay } from '#app/evidence/next-day.tsx'
import { Percent } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/** The fall whose chance is stated, in percent. */
const FALL = 5

export function BotDay({ performance: { holdings, nextDay } }: { performance: BotPerformance }) {
  const isInCash = holdings.every(({ value }) => decimalToUnits(value) === 0n)
  if (holdings.length === 0 || (nextDay === null && !isInCash)) return null
  return (
    <NextDay className="px-5 pt-6">
      {nextDay ? (
        <RangeAndFall nextDay={nextDay} />
      ) : (
        t('All in cash: prices move this bot only once it holds coins.')
      )}
    </NextDay>
  )
}

function RangeAndFall({ nextDay: { low, high, falls } }: { nextDay: Forecast }) {
  return (
    <Trans
      message="{low} to {high}, 8 times in 10. A fall of {fall} or more: {chance}."
      low={<Percent value={low} sign="always" />}
      high={<Percent value={high} sign="always" />}
      fall={withPercent(String(FALL))}
      chance={chanceText(falls, FALL)}
    />
  )
}
