import type { Evidence } from '#contract/evidence.ts'
import { EVIDENCE_COMPUTING } from '#core/evidence/target.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import { say, t } from '#words/words.ts'
import { percentText } from '#app/ui/money/money-format.ts'

/**
 * How any twelve months of a bot that holds or balances ended; undefined if there will be no
 * figures.
 */
export function strategyNote(
  strategy: StrategyKey,
  evidence: Evidence | undefined,
): string | undefined {
  if (evidence?.state === 'none') return undefined
  const found =
    evidence?.state === 'figures'
      ? evidence.figures.others.find((one) => one.strategy === strategy)
      : undefined
  if (found === undefined) return say(EVIDENCE_COMPUTING)
  const { median, worst, losingPercent } = found
  const values = {
    median: percentText(median.percent),
    worst: percentText(worst.percent),
    losing: percentText(losingPercent, { sign: 'never' }),
  }
  return t('Any 12 months after costs: median {median}, worst {worst}, {losing} lost money', values)
}
