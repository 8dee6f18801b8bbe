import type { ReactNode } from 'react'
import type {
  ForecastScore,
  Forecasts,
  SaidChance,
  TriedForTrading,
  TriedResult,
} from '#contract/forecasts.ts'
import { JUDGED_DAYS } from '#core/forecast/walk-forward.ts'
import { choiceOf } from '#core/strategy/strategy-key.ts'
import { countText, digitsText } from '#words/figures.ts'
import { listText } from '#words/list-text.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { msg, say, t } from '#words/words.ts'
import { Door } from '#app/ui/frame/door.tsx'
import { Percent } from '#app/ui/money/money.tsx'
import { ChanceChart } from './chance-chart.tsx'
import { ChanceTable } from './chance-table.tsx'
import { ScoreTable } from './score-table.tsx'

export function ForecastDoors({ forecasts }: { forecasts: Forecasts }) {
  const { scores, variants } = forecasts
  const { byPair, byYear, byThird, bots, chances } = scores
  const thirds = [t('Calmest third'), t('Middle third'), t('Wildest third')]
  const wild = byThird.map((score, index) => ({ ...score, name: thirds[index] ?? '' }))
  return (
    <div className="pt-4 lg:pt-0">
      <Door title={t('Chance of a fall of 5% or more')} note={chanceNote(chances.at(-1))}>
        <ChanceChart chances={chances} />
      </Door>
      <ScoreDoor title={t('By coin')} note={heldNote(byPair)} head={t('Pair')} rows={byPair} />
      <ScoreDoor title={t('By year')} note={heldNote(byYear)} head={t('Year')} rows={byYear} />
      <ScoreDoor
        title={t('Calm and wild days')}
        note={heldNote(wild)}
        head={t('Days')}
        rows={wild}
      />
      <Door title={t('Whole bots')} note={heldNote(bots)}>
        <BotScores scores={scores} />
      </Door>
      <FormulaDoor scores={scores} />
      <Door
        title={t('Ways to trade that did not help')}
        note={t('{count} learned ways to trade', { count: countText(variants) })}
      >
        <TriedTable {...forecasts} />
      </Door>
      <Door title={t('Compute it again')}>
        <p className="text-14 text-pretty wrap-anywhere text-ink2">
          {t(
            'A copy of the code can train and score the model of every month again, as its README describes. The newest model here is {model}.',
            { model: scores.model },
          )}
        </p>
      </Door>
    </div>
  )
}

function FormulaDoor({ scores }: Pick<Forecasts, 'scores'>) {
  const { worseMonths, restedMonths, months } = scores
  return (
    <ScoreDoor
      title={t('Months in which the plain formula was better')}
      note={t('{count} of {all}', {
        count: countText(worseMonths.length),
        all: countText(months),
      })}
      head={t('Month')}
      rows={worseMonths}
    >
      {restedMonths.length > 0 && (
        <p className="pt-2 text-14 text-pretty text-ink2">
          {t(
            "If the plain formula was better over {days} days, it gives the ranges for a month: {months}. The scores are still the model's.",
            { days: countText(JUDGED_DAYS), months: listText(restedMonths) },
          )}
        </p>
      )}
    </ScoreDoor>
  )
}

/** The row that kept the fewest days in the range, and the row that kept the most. */
function heldNote(rows: readonly { percent80: string }[]): string {
  const shares = rows.map(({ percent80 }) => Math.round(Number(percent80)))
  return t('Days in the range: {low} to {high} of 100', {
    low: countText(Math.min(...shares)),
    high: countText(Math.max(...shares)),
  })
}

function chanceNote(highest: SaidChance | undefined): string | undefined {
  return (
    highest &&
    t('Riskiest days: a fall was forecast on {said} of 100 and came on {happened}', {
      said: countText(Math.round(Number(highest.said))),
      happened: countText(Math.round(Number(highest.happenedPercent))),
    })
  )
}

function ScoreDoor({
  title,
  note,
  head,
  rows,
  children,
}: {
  title: string
  note: string
  head: string
  rows: readonly (ForecastScore & { name: string })[]
  children?: ReactNode
}) {
  return (
    <Door title={title} note={note}>
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
      <p className="text-14 text-pretty text-ink2">
        {t('Lower errors are better (QLIKE). Bots measure swings by the plain formula.')}
      </p>
      {children}
    </Door>
  )
}

function BotScores({ scores }: Pick<Forecasts, 'scores'>) {
  return (
    <>
      <p className="pb-2 text-14 text-pretty text-ink2">
        {t('Each kind of bot was replayed with the five coins over the same time.')}{' '}
        {t(
          "The table shows how often the bot's worth stayed in its range, trades and costs included.",
        )}
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
  trees: msg('Position sizes by decision trees, five days'),
  net: msg('Position sizes by a neural net, five days'),
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
          '{count} learned ways to trade, after costs, each trained only on earlier prices. The register of trials has a row for each kind. In brackets: the range of 95 of 100 repeated samples. None was better by more than luck, and several were worse. A rise often begins with larger swings: with a sharp forecast, a bot then buys less.',
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
