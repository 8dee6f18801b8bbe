import type { ReactNode } from 'react'
import type { BotPerformance } from '#contract/bots.ts'
import type { NextDay as Forecast } from '#contract/forecasts.ts'
import type { ResponseOf } from '#contract/calls.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { withPercent } from '#words/figures.ts'
import { say, t } from '#words/words.ts'
import { DottedWord } from '#app/articles/dotted-word.tsx'
import { Door } from '#app/ui/frame/door.tsx'
import { BY_FORMULA, NextDayNote, useNextDayTitle } from '#app/evidence/next-day.tsx'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Percent } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import type { EnteredBot } from './bot-draft.ts'
import { useBotForecast } from './bot-queries.ts'
import { chanceText } from './guard-chance.tsx'

/** The fall whose chance is stated, in percent. */
const FALL = 5

export function BotDay({ performance: { holdings, nextDay } }: { performance: BotPerformance }) {
  const title = useNextDayTitle()
  const isInCash = holdings.every(({ value }) => decimalToUnits(value) === 0n)
  if (holdings.length === 0 || (nextDay === null && !isInCash)) return null
  return (
    <section aria-label={title}>
      <Door title={title} note={nextDay ? <Range {...nextDay} /> : t('All in cash.')}>
        <p className="text-16 text-pretty">
          {nextDay
            ? t('A fall of {fall} or more: {chance}.', {
                fall: withPercent(String(FALL)),
                chance: chanceText(nextDay.falls, FALL),
              })
            : t('Its worth follows prices only once it holds coins.')}
          {nextDay?.rests && ` ${say(BY_FORMULA)}`}
        </p>
        <NextDayNote />
      </Door>
    </section>
  )
}

function Range({ low, high }: Pick<Forecast, 'low' | 'high'>) {
  return (
    <Trans
      message="{low} to {high}, 8 times in 10"
      low={<Percent value={low} sign="always" />}
      high={<Percent value={high} sign="always" />}
    />
  )
}

/** Tall enough for its longest sentence, so that nothing below moves when the forecast arrives. */
export function NewBotDay({ bot: { strategy, riskLevel, tradingPairs } }: { bot: EnteredBot }) {
  const forecast = useBotForecast({ strategy, riskLevel, tradingPairs })
  if (tradingPairs.length === 0) return null
  return (
    <section
      aria-label={t('Next 24 h')}
      aria-busy={forecast.isPending}
      className="min-h-36 sm:min-h-24"
    >
      <Loading
        query={forecast}
        problem={t('The range of the next day could not be computed.')}
        className="h-18 w-full"
      />
      {forecast.data && <NewRange {...forecast.data} />}
    </section>
  )
}

const swingsTerm = (word: ReactNode) => <DottedWord term="swings">{word}</DottedWord>

function NewRange({ isInCash, nextDay }: ResponseOf<'getBotForecast'>) {
  if (!isInCash && !nextDay) return null
  return (
    <>
      <p className="text-16 text-pretty">
        {nextDay ? (
          <>
            <Trans
              message="At today's <swings>swings</swings> this bot could move from {low} to {high} in a day, 8 times in 10."
              swings={swingsTerm}
              low={<Percent value={nextDay.low} sign="always" />}
              high={<Percent value={nextDay.high} sign="always" />}
            />{' '}
            {nextDay.rests && say(BY_FORMULA)}
          </>
        ) : (
          t('It would start in cash: its worth follows prices only once it holds coins.')
        )}
      </p>
      <NextDayNote />
    </>
  )
}
