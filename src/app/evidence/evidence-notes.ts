import type { EvidenceFigures, EvidenceSummary } from '#contract/evidence.ts'
import { EVIDENCE_COMPUTING } from '#core/evidence/target.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { say, t } from '#words/words.ts'
import { percentText } from '#app/ui/money/money.tsx'
import { levelOf, otherPrices, type LevelSummary } from './evidence-text.ts'

/**
 * 'Any 12 months after costs: median +16.04%, worst −13.31%, 24.35% lost money'; undefined if there
 * will be no figures.
 */
export function evidenceNote(
  riskLevel: RiskLevel,
  evidence: EvidenceSummary | undefined,
  shown: { median?: boolean } = {},
): string | undefined {
  const level = levelOf(riskLevel, evidence)
  if (level === undefined) return evidence?.state === 'none' ? undefined : say(EVIDENCE_COMPUTING)
  const values = risksOf(level)
  if (shown.median === false)
    return t('Any 12 months after costs: worst {worst}, {losing} lost money', values)
  return t('Any 12 months after costs: median {median}, worst {worst}, {losing} lost money', {
    ...values,
    median: percentText(level.median),
  })
}

/**
 * 'Recorded Binance prices, not those of the market here.', beside figures that do not name them.
 */
export function pricesNote(evidence: EvidenceSummary | undefined): string | undefined {
  return otherPricesNote(otherPrices(evidence) ?? null)
}

export function otherPricesNote(prices: string | null): string | undefined {
  return prices === null ? undefined : t('{prices}, not those of the market here.', { prices })
}

function risksOf({ worst, losingPercent }: LevelSummary): { worst: string; losing: string } {
  return { worst: percentText(worst), losing: percentText(losingPercent, { sign: 'never' }) }
}

/** Explains cash as a yardstick; undefined if nothing was compared with it. */
export function cashNote({
  cash,
  beatsCash,
}: Pick<EvidenceFigures, 'cash'> & Pick<EvidenceFigures['buyAndHold'], 'beatsCash'>):
  | string
  | undefined {
  if (beatsCash === null) return undefined
  if (cash === null)
    return t('Cash is the same money in 3-month US Treasury bills, reinvested daily.')
  return t(
    'Cash is the same money in 3-month US Treasury bills, reinvested daily. It earned {percent} a year on average.',
    { percent: percentText(cash, { sign: 'never' }) },
  )
}
