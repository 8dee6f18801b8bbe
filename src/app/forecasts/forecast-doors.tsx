import type { ForecastScore, Forecasts, TriedForTrading, TriedResult } from '#contract/forecasts.ts'
import { JUDGED_DAYS } from '#core/forecast/walk-forward.ts'
import { choiceOf } from '#core/strategy/strategy-key.ts'
import { countText, digitsText } from '#words/figures.ts'
import { listText } from '#words/list-text.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { msg, say, t } from '#words/words.ts'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Percent } from '#app/ui/money/money.tsx'
import { ChanceTable } from './chance-table.tsx'
import { ScoreTable } from './score-table.tsx'

export function ForecastDoors({ forecasts }: { forecasts: Forecasts }) {
  const { scores } = forecasts
  const thirds = [t('Calmest third'), t('Middle third'), t('Wildest third')]
  return (
    <Section title={t('Look closer')}>
      <Door title={t('By coin')} head={t('Pair')} rows={scores.byPair} />
      <Door title={t('By year')} head={t('Year')} rows={scores.byYear} />
      <Door
        title={t('Calm and wild days')}
        head={t('Days')}
        rows={scores.byThird.map((score, index) => ({ ...score, name: thirds[index] ?? '' }))}
      />
      <Disclosure summary={t('Whole bots')}>
        <BotScores scores={scores} />
      </Disclosure>
      <Door
        title={t('Months in which the plain formula was better')}
        head={t('Month')}
        rows={scores.worseMonths}
      />
      {scores.restedMonths.length > 0 && (
        <Disclosure summary={t('Months in which the model rested')}>
          <p className="pb-4 text-14 text-pretty text-ink2">
            {t(
              'After {days} days in which the plain formula was better, it answers for a month: {months}. The scores are those of the model all the same.',
              { days: countText(JUDGED_DAYS), months: listText(scores.restedMonths) },
            )}
          </p>
        </Disclosure>
      )}
      <Disclosure summary={t('Tried for trading, did not help')}>
        <TriedTable {...forecasts} />
      </Disclosure>
      <Disclosure summary={t('Compute it again')}>
        <p className="pb-4 text-14 text-pretty wrap-anywhere text-ink2">
          {t(
            'A copy of the code trains the model of every month again and scores it: its README says how. The newest model here is {model}.',
            { model: scores.model },
          )}
        </p>
      </Disclosure>
    </Section>
  )
}

function Door({
  title,
  head,
  rows,
}: {
  title: string
  head: string
  rows: readonly (ForecastScore & { name: string })[]
}) {
  return (
    <Disclosure summary={title}>
      <ScoreTable
        caption={title}
        head={head}
        columns={[t('In 80% range'), t('In 95% range'), t('Error'), t('Plain formula')]}
        rows={rows.map(({ name, percent80, percent95, qlike, plain }) => ({
          name,
          cells: [
            <Percent key="80" value={percent80} sign="never" />,
            <Percent key="95" value={percent95} sign="never" />,
            digitsText(qlike),
            digitsText(plain.qlike),
          ],
        }))}
      />
      <p className="pb-4 text-14 text-pretty text-ink2">
        {t(
          'Lower errors are better (QLIKE). The plain formula is the one by which bots measure swings.',
        )}
      </p>
    </Disclosure>
  )
}

function BotScores({ scores }: Pick<Forecasts, 'scores'>) {
  return (
    <>
      <p className="pb-2 text-14 text-pretty text-ink2">
        {t('A bot of each kind with the five coins, over the same time.')}{' '}
        {t('How often its worth stayed in its range, its trades and their costs included.')}
      </p>
      <ScoreTable
        caption={t('Whole bots')}
        head={t('Bot')}
        columns={[t('Days with coins'), t('In 80% range')]}
        rows={scores.bots.map(({ strategy, days, percent80 }) => ({
          name: strategyTitle(choiceOf(strategy)),
          cells: [countText(days), <Percent key="80" value={percent80} sign="never" />],
        }))}
      />
      <p className="pb-2 text-14 text-pretty text-ink2">
        {t('Chances that a bot falls by {falls} percent or more at the close of an hour:', {
          falls: listText(scores.botFalls.map(String)),
        })}
      </p>
      <ChanceTable
        caption={t("Chances of a bot's falls")}
        head={t('Cases')}
        chances={scores.botChances}
      />
    </>
  )
}

const TRIED: Record<TriedForTrading['id'], string> = {
  'one-day': msg('Position sizes from a one-day forecast'),
  'five-days': msg('Position sizes from a five-day forecast'),
  'twenty-days': msg('Position sizes from a twenty-day forecast'),
  trees: msg('The same by decision trees, five days'),
  net: msg('The same by a neural net, five days'),
  target: msg('Holding, scaled to a constant volatility'),
  'entry-logistic': msg('Entry filter (logistic regression)'),
  'entry-trees': msg('Entry filter (decision trees)'),
  learners: msg('Models that choose among our rules'),
  'minimum-variance': msg('Moving money to calmer coins'),
}

function TriedTable({ tried, variants }: Pick<Forecasts, 'tried' | 'variants'>) {
  const table = (measure: TriedForTrading['measure'], caption: string) => (
    <ScoreTable
      caption={caption}
      head={caption}
      columns={[t('Five coins'), t('Seven others')]}
      rows={tried
        .filter((one) => one.measure === measure)
        .map(({ id, five, seven }) => ({
          name: say(TRIED[id]),
          cells: [resultText(five), resultText(seven)],
        }))}
    />
  )
  return (
    <>
      <p className="pb-2 text-14 text-pretty text-ink2">
        {t(
          '{count} learned ways to trade, after costs, each trained only on what came before. The register of trials has a row for each kind. In brackets: 95 of 100 repeated samples. None was better by more than luck, and several were worse. A rise often begins with larger swings: a sharp forecast then buys less of it.',
          { count: countText(variants) },
        )}
      </p>
      {table('sharpe', t('Sharpe ratio, difference'))}
      {table('area', t('Area under the curve, 0.5 is chance'))}
    </>
  )
}

function resultText({ value, low, high }: TriedResult): string {
  const span = low === null || high === null ? '' : `[${signed(low)}; ${signed(high)}]`
  return value === null ? span : `${signed(value)} ${span}`.trim()
}

function signed(figure: string): string {
  return digitsText(figure.replace('-', '\u2212'))
}
