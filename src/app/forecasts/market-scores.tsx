import type { MarketScores } from '#contract/forecasts.ts'
import { routes } from '#contract/routes.ts'
import { countText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { checkText } from '#app/evidence/proof-link.tsx'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { utcDayText } from '#app/ui/device/dates.ts'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { ChanceTable } from './chance-table.tsx'

/** Forecasts on this live market, each stored before its day. */
export function MarketScoresSection({ scores }: { scores: MarketScores }) {
  const { since, days, missed, forecasts, held80, chances } = scores
  return (
    <Section title={t('On this market')}>
      <p className="text-16 text-pretty">
        {t('In {days} days since {date}, {held} of {count} prices stayed in their 80% range.', {
          date: utcDayText(since),
          held: countText(held80),
          count: countText(forecasts),
          days: countText(days),
        })}
      </p>
      <p className="pt-2 text-14 text-pretty text-ink2">
        {t(
          'Each forecast is stored before its first hour ends. Neither the forecast nor its outcome is ever changed, even if the exchange corrects a price.',
        )}{' '}
        {missed > 0 &&
          t('Days without forecasts: {count}. None is added later.', { count: countText(missed) })}
      </p>
      {chances.length > 0 && (
        <Disclosure summary={t('Chance of a fall of 5% or more')}>
          <ChanceTable
            caption={t('Forecast and happened on this market')}
            head={t('Cases')}
            chances={chances}
          />
        </Disclosure>
      )}
      <DownloadLink href={routes.getForecastBundle.path} file="proof-forecasts.json">
        {t('Download the proof')}
      </DownloadLink>
      <p className="text-14 text-pretty wrap-anywhere text-ink2">{checkText()}</p>
    </Section>
  )
}
