import type { EvidenceSummary } from '#contract/evidence.ts'
import { EVIDENCE_COMPUTING } from '#core/evidence/target.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { riskTitle } from '#words/strategy-names.ts'
import { msg, say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { percentText } from '#app/ui/money/money.tsx'

export const TARGET_NOTE = msg('Target, not a promise: you can lose money.')

export const PAST_NOTE = msg('Past results, not a promise: you can lose money.')

export const NOT_LOADED = msg('The evidence could not be loaded.')

export type LevelSummary = Extract<EvidenceSummary, { state: 'figures' }>['levels'][number]

/**
 * 'median +16.04%', shown instead of a target; 'no figures' if there are none. The line below gives
 * the reason.
 */
export function medianText(riskLevel: RiskLevel, evidence: EvidenceSummary | undefined): string {
  const level = levelOf(riskLevel, evidence)
  if (level !== undefined) return t('median {percent}', { percent: percentText(level.median) })
  return evidence?.state === 'none' ? t('no figures') : t('no figures yet')
}

/** Why there are no figures (yet). */
export const missingText = (evidence: EvidenceSummary | undefined): string =>
  evidence && evidence.state !== 'figures' ? evidence.sentence : say(EVIDENCE_COMPUTING)

/** 'Hypothetical: Moderate bots, after costs. Recorded Binance prices.' */
export function sourceText(riskLevel: RiskLevel, evidence: EvidenceSummary | undefined): string {
  const bots = t('Hypothetical: {level} bots, after costs.', { level: riskTitle(riskLevel) })
  const prices = otherPrices(evidence)
  return prices === undefined ? bots : `${bots} ${prices}.`
}

/** 'Recorded Binance prices', if the figures are not computed from this market's prices. */
function otherPrices(evidence: EvidenceSummary | undefined): string | undefined {
  return evidence?.state === 'figures' && evidence.prices !== null ? evidence.prices : undefined
}

export function levelOf(
  riskLevel: RiskLevel,
  evidence: EvidenceSummary | undefined,
): LevelSummary | undefined {
  return evidence?.state === 'figures'
    ? evidence.levels.find((level) => level.riskLevel === riskLevel)
    : undefined
}

/**
 * Whether this installation names targets of returns. If not, screens show past results instead.
 */
export function useNamesTargets(): boolean {
  return useConfig().data?.claims === 'targets'
}
