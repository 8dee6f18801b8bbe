import type { RecordedStrategy } from '#contract/track-record.ts'
import { MINUS, signOf } from '#core/money/text.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { digitsText } from '#words/figures.ts'
import { riskTitle } from '#words/names.ts'
import { t } from '#words/words.ts'
import { percentText } from '#app/ui/money/money-format.ts'

/** 'Moderate'; a strategy that is not one of the risk levels has only the name that its pools carry. */
export function strategyTitle(strategy: string): string {
  const level = RISK_LEVELS.find((each) => each === strategy)
  return level ? riskTitle(level) : strategy.slice(0, 1).toUpperCase() + strategy.slice(1)
}

/** '−12.5 bps' */
export function bpsText(bps: string): string {
  const sign = { '-1': MINUS, '0': '', '1': '+' }[signOf(bps)]
  return t('{figure} bps', { figure: sign + digitsText(bps.replace('-', '')) })
}

/** A strategy's chart in one sentence, for screen readers. */
export function chartSentence({ strategy, real, backtest }: RecordedStrategy): string {
  const values = { strategy: strategyTitle(strategy), real: percentText(real), backtest: percentText(backtest ?? '0.00') }
  return backtest === null ? t('{strategy}: {real} here.', values) : t('{strategy}: {real} here, {backtest} in the backtest, which is hypothetical.', values)
}
