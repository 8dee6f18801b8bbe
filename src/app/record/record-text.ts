import type { RecordedStrategy } from '#contract/track-record.ts'
import { ONE } from '#core/money/amount.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { MINUS, signOf } from '#core/money/text.ts'
import { choiceOf, STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { digitsText } from '#words/figures.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { percentText } from '#app/ui/money/money.tsx'

export function recordTitle(strategy: string): string {
  const key = STRATEGY_KEYS.find((each) => each === strategy)
  return key ? strategyTitle(choiceOf(key)) : strategy.slice(0, 1).toUpperCase() + strategy.slice(1)
}

export function bpsText(bps: string): string {
  const sign = { '-1': MINUS, '0': '', '1': '+' }[signOf(bps)]
  return t('{figure} bps', { figure: sign + digitsText(bps.replace('-', '')) })
}

export function chartSentence({ strategy, real, backtest }: RecordedStrategy): string {
  const values = {
    strategy: recordTitle(strategy),
    real: percentText(real),
    backtest: percentText(backtest ?? '0.00'),
  }
  return backtest === null
    ? t('{strategy}: {real} here.', values)
    : t('{strategy}: {real} here, {backtest} in the backtest, which is hypothetical.', values)
}

export const isUsed = ({ pools }: RecordedStrategy): boolean =>
  pools.some(({ state }) => state !== 'never')

/** States the largest gap to a backtest, rounded up to a basis point. */
export function headline(used: readonly RecordedStrategy[]): string {
  if (used.length === 0) return t('No bot has traded here yet.')
  const gaps = used.flatMap(({ gap }) => (gap ? [decimalToUnits(gap.total.replace('-', ''))] : []))
  if (gaps.length === 0) return t('The actual results of each strategy here.')
  const largest = gaps.reduce((most, gap) => (gap > most ? gap : most))
  const percent = unitsToDecimal(((largest + ONE - 1n) / ONE) * (ONE / 100n), 2)
  return t('Results here are within {percent} of their backtest.', {
    percent: percentText(percent, { sign: 'never' }),
  })
}
