import type { Forecasts } from '#contract/forecasts.ts'
import { AHEAD } from '#core/forecast/rows.ts'
import { JUDGED_DAYS } from '#core/forecast/walk-forward.ts'
import { countText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useAnswer, useConfig } from '#app/api/queries.ts'
import { ResultLinks } from '#app/evidence/result-links.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { utcDayText } from '#app/ui/device/dates.ts'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { FigureText, percentText } from '#app/ui/money/money.tsx'
import { ForecastDoors } from './forecast-doors.tsx'
import { MarketScoresSection } from './market-scores.tsx'
import { RangePicture } from './range-picture.tsx'

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
      {data && !isError && (
        <div className="lg:grid lg:grid-cols-2 lg:items-start lg:gap-x-4">
          <div>
            <SaidAndHappened scores={data.scores} />
            {data.here && <MarketScoresSection scores={data.here} />}
          </div>
          <ForecastDoors forecasts={data} />
        </div>
      )}
      <div className="px-5 pt-2 pb-4">
        <ResultLinks from="/forecasts" />
      </div>
    </>
  )
}

function SaidAndHappened({ scores }: Pick<Forecasts, 'scores'>) {
  const { heldOf100: held, belowOf100: below } = scores
  const above = 100 - held - below
  return (
    <section className="px-5 pt-3">
      <h2 className="pb-4 text-28 font-semibold tracking-[-0.01em] text-balance">
        {t(
          'A machine-learning model forecasts how far a price may move in {hours} hours, not where to.',
          { hours: countText(AHEAD) },
        )}
      </h2>
      <RangePicture days={{ held, below, above }} />
      <dl
        className={
          'grid max-w-100 grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-x-4 pt-3'
        }
      >
        <Days name={t('Forecast')} held={80} note={t('days in the range')} />
        <Days
          name={t('Happened')}
          held={held}
          note={t('{above} above, {below} below', {
            above: countText(above),
            below: countText(below),
          })}
        />
      </dl>
      <Basis scores={scores} />
    </section>
  )
}

/** The forecasts that these figures are from. */
function Basis({ scores }: Pick<Forecasts, 'scores'>) {
  const { total, from, to, rests, medianLow: low, medianHigh: high } = scores
  const isSimulated = useConfig().data?.feed.kind === 'simulated'
  return (
    <>
      <p className="pt-3 text-16 text-pretty">
        <FigureText>
          {t('A typical range for {hours} hours: {low} to {high}.', {
            hours: countText(AHEAD),
            low: percentText(low),
            high: percentText(high),
          })}
        </FigureText>
      </p>
      <p className="pt-2 text-14 text-pretty text-ink2">
        {t(
          '{days} forecasts on real past prices, {from} to {to}, each made from earlier days only.',
          {
            days: countText(total.days),
            from: utcDayText(from),
            to: utcDayText(to),
          },
        )}{' '}
        {t('No bot trades on them.')}
      </p>
      {isSimulated && (
        <p className="pt-2 text-14 text-pretty text-ink2">
          {t('This market is simulated, so the model is scored on real past prices.')}
        </p>
      )}
      {rests && (
        <p className="pt-2 text-16 text-pretty">
          {t(
            'The model rests: over the last {days} days, the plain formula was better. The formula gives the ranges for now.',
            { days: countText(JUDGED_DAYS) },
          )}
        </p>
      )}
    </>
  )
}

function Days({ name, held, note }: { name: string; held: number; note: string }) {
  return (
    <div>
      <dt className="text-14 text-ink2">{name}</dt>
      <dd className="text-20 font-semibold">{t('{count} of 100', { count: countText(held) })}</dd>
      <dd className="text-14 text-ink2">{note}</dd>
    </div>
  )
}
