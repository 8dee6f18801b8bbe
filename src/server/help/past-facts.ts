import type { Evidence, EvidenceFigures } from '#contract/evidence.ts'
import type { Facts } from '#core/help/article.ts'
import { HOLDOUT, LARGEST_FALLS, rowAtCosts, type HoldoutResult } from '#core/luck/holdout.ts'
import { baseOf } from '#core/market/pair.ts'
import { percentOfBps } from '#core/money/percent.ts'
import { MINUS } from '#core/money/text.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { totalCostBps, type TradingCosts } from '#core/trading/costs.ts'
import { digitsText, locale, withPercent } from '#words/figures.ts'
import { t, tCount } from '#words/words.ts'

/**
 * Past results for the articles: the present ones of the Evidence page, and the holdout's at the
 * costs closest to `costs`.
 */
export function pastFacts({
  evidence,
  costs,
}: {
  evidence: () => Evidence
  costs: TradingCosts
}): Facts {
  const ofFigures = (text: (figures: EvidenceFigures, prices: string) => string) => (): string => {
    const found = evidence()
    return found.state === 'figures'
      ? text(found.figures, pricesOf(found))
      : t('No figures have been computed here so far.')
  }
  return {
    'past-returns': ofFigures(returnsText),
    'past-falls': ofFigures(fallsText),
    'audited-returns': () =>
      HOLDOUT.map((result) => auditedText(result, totalCostBps(costs))).join(' '),
    'audited-falls': auditedFalls,
  }
}

/** 'Recorded Binance prices, Dec 10, 2020 to Sep 19, 2025' */
function pricesOf({
  feedLabel,
  figures: { from, to },
}: Extract<Evidence, { state: 'figures' }>): string {
  return t('{prices}, {from} to {to}', { prices: feedLabel, from: dayText(from), to: dayText(to) })
}

function returnsText({ levels }: EvidenceFigures, prices: string): string {
  const results = levels.map(({ riskLevel, median, worst, losingPercent }) =>
    inLevel(
      riskLevel,
      t('median {median}, worst {worst}, {losing} lost money', {
        median: signed(median.percent),
        worst: signed(worst.percent),
        losing: percent(losingPercent),
      }),
    ),
  )
  return t('{prices}, all periods of twelve months after all costs and our fee: {results}.', {
    prices,
    results: results.join('; '),
  })
}

function fallsText({ levels, pairs }: EvidenceFigures, prices: string): string {
  const results = levels.map(({ riskLevel, deepestFall }) =>
    inLevel(riskLevel, percent(deepestFall)),
  )
  return tCount(
    pairs.length,
    {
      one: '{prices}, the deepest fall of a bot with that coin: {results}.',
      other: '{prices}, the deepest fall of a bot with all {count} coins: {results}.',
    },
    { prices, results: results.join(', ') },
  )
}

function auditedText(result: HoldoutResult, hereBps: number): string {
  const { kind, pairs, from, to, held } = result
  const { costsBps, levels } = rowAtCosts(result, hereBps)
  const results = RISK_LEVELS.map((level) => inLevel(level, signed(levels[level].percent))).join(
    ', ',
  )
  const values = {
    from: dayText(from),
    to: dayText(to),
    costs: costsText(costsBps),
    results,
    held: signed(held.percent),
  }
  if (kind === 'pairs') {
    return tCount(
      pairs,
      {
        one:
          '{count} other coin, per year, {from} to {to}, at costs of {costs} per trade: ' +
          '{results}; held {held}.',
        other:
          '{count} other coins together, per year, {from} to {to}, at costs of {costs} ' +
          'per trade: {results}; held {held}.',
      },
      values,
    )
  }
  return tCount(
    pairs,
    {
      one:
        '{count} coin since then, in total, {from} to {to}, at costs of {costs} per trade: ' +
        '{results}; held {held}.',
      other:
        '{count} coins together since then, in total, {from} to {to}, at costs of ' +
        '{costs} per trade: {results}; held {held}.',
    },
    values,
  )
}

function auditedFalls(): string {
  const { pair, from, to, costsBps, levels } = LARGEST_FALLS
  const results = RISK_LEVELS.map((level) => inLevel(level, percent(levels[level]))).join(', ')
  return t('{coin} alone, {from} to {to}, at costs of {costs} per trade: {results}.', {
    coin: baseOf(pair),
    from: dayText(from),
    to: dayText(to),
    costs: costsText(costsBps),
    results,
  })
}

const costsText = (bps: number): string => percent(percentOfBps(bps))

/** '+6.59% (conservative)' */
function inLevel(level: RiskLevel, result: string): string {
  const values = { result }
  if (level === 'conservative') return t('conservative {result}', values)
  return level === 'moderate' ? t('moderate {result}', values) : t('aggressive {result}', values)
}

/** '6.59%', with the decimals of the source. */
function percent(figure: string): string {
  return withPercent(digitsText(figure))
}

function signed(figure: string): string {
  return figure.startsWith('-') ? MINUS + percent(figure.slice(1)) : `+${percent(figure)}`
}

function dayText(day: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(day),
  )
}
