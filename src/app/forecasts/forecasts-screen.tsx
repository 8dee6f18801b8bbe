import type { Forecasts } from '#contract/forecasts.ts'
import { JUDGED_DAYS } from '#core/forecast/walk-forward.ts'
import { AHEAD } from '#core/forecast/rows.ts'
import { countText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useAnswer, useConfig } from '#app/api/queries.ts'
import { ResultLinks } from '#app/evidence/result-links.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { utcDayText } from '#app/ui/device/dates.ts'
import { LoadProblem, Section, Skeleton } from '#app/ui/frame/section.tsx'
import { ChanceChart } from './chance-chart.tsx'
import { ForecastDoors } from './forecast-doors.tsx'
import { MarketScoresSection } from './market-scores.tsx'

export function ForecastsScreen() {
  const { data, isError, refetch } = useAnswer(['getForecasts'], {})
  return (
    <>
      <PageHeader screen="forecasts" backTo="/evidence" />
      {isError && (
        <div className="px-5 pt-4">
          <LoadProblem
            message={t('The scores of the forecasts could not be loaded.')}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!data && !isError && <Skeleton className="mx-5 mt-6 h-96" />}
      {data && !isError && <Scores forecasts={data} />}
      <div className="px-5 pb-4">
        <ResultLinks from="/forecasts" />
      </div>
    </>
  )
}

function Scores({ forecasts }: { forecasts: Forecasts }) {
  const isSimulated = useConfig().data?.feed.kind === 'simulated'
  const { total, heldOf100, from, to, chances, rests } = forecasts.scores
  return (
    <div className="pb-8">
      <div className="max-w-page px-5">
        <p className="pt-2 text-17 text-pretty">
          {t(
            "A machine-learning model forecasts how far a coin's price may move in {hours} hours, not where to. No trade depends on it. {held} days of 100 stayed in its 80% range.",
            { hours: countText(AHEAD), held: countText(heldOf100) },
          )}
        </p>
        <p className="pt-2 text-14 text-pretty text-ink2">
          {t(
            '{days} forecasts on recorded prices, {from} to {to}, each by a model that knew only the days before it.',
            { days: countText(total.days), from: utcDayText(from), to: utcDayText(to) },
          )}
        </p>
        {rests && (
          <p className="pt-2 text-16 text-pretty">
            {t(
              'The model rests: over the last {days} days, the plain formula was better. It gives the ranges for now.',
              { days: countText(JUDGED_DAYS) },
            )}
          </p>
        )}
        {isSimulated && (
          <p className="pt-2 text-16 text-pretty">
            {t(
              "The prices of this market are made up: the model's score here would prove " +
                'nothing. These scores are of recorded prices.',
            )}
          </p>
        )}
      </div>
      <div className="lg:grid lg:grid-cols-2 lg:items-start lg:gap-x-4">
        <Section title={t('Forecast and happened')}>
          <ChanceChart chances={chances} />
        </Section>
        {forecasts.here && <MarketScoresSection scores={forecasts.here} />}
        <ForecastDoors forecasts={forecasts} />
      </div>
    </div>
  )
}
