import type { EvidenceFigures, EvidenceSummary } from '#contract/evidence.ts'
import { EVIDENCE_COMPUTING } from '#core/evidence/target.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { riskTitle } from '#words/strategy-names.ts'
import { msg, say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { percentText } from '#app/ui/money/money.tsx'

export const TARGET_NOTE = msg('Target, not a promise: you can lose money.')

export const PAST_NOTE = msg('Past results, not a promise: you can lose money.')

export const NOT_LOADED = msg('The evidence could not be loaded.')

type LevelSummary = Extract<EvidenceSummary, { state: 'figures' }>['levels'][number]

/**
 * 'median +16.04%', shown instead of a target. Without figures it says so, and the line below gives
 * the reason.
 */
export function medianText(riskLevel: RiskLevel, evidence: EvidenceSummary | undefined): string {
  const level = levelOf(riskLevel, evidence)
  if (level !== undefined) return t('median {percent}', { percent: percentText(level.median) })
  return evidence?.state === 'none' ? t('no figures') : t('no figures yet')
}

type Shown = { median?: boolean }

/**
 * 'Moderate bots, any 12 months after costs: median +16.04%, worst −13.31%, 24.35% of them lost
 * money.' Preceded by the source of the prices, if it is not this market. Without figures, the
 * reason.
 */
export function evidenceSentence(
  riskLevel: RiskLevel,
  evidence: EvidenceSummary | undefined,
  shown: Shown = {},
): string {
  const level = levelOf(riskLevel, evidence)
  if (level === undefined)
    return evidence && evidence.state !== 'figures' ? evidence.sentence : say(EVIDENCE_COMPUTING)
  const values = { level: riskTitle(riskLevel), ...risksOf(level) }
  const sentence =
    shown.median === false
      ? t(
          '{level} bots, any 12 months after costs: worst {worst}, {losing} of periods lost money.',
          values,
        )
      : t(
          '{level} bots, any 12 months after costs: median {median}, worst {worst}, {losing} of periods lost money.',
          { ...values, median: percentText(level.median) },
        )
  const prices = otherPrices(evidence)
  return prices === undefined ? sentence : `${prices}. ${sentence}`
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

/** 'Recorded Binance prices', if the figures are not computed from this market's prices. */
function otherPrices(evidence: EvidenceSummary | undefined): string | undefined {
  return evidence?.state === 'figures' && evidence.prices !== null ? evidence.prices : undefined
}

/**
 * 'Any 12 months after costs: median +16.04%, worst −13.31%, 24.35% lost money'; undefined if there
 * will be no figures.
 */
export function evidenceNote(
  riskLevel: RiskLevel,
  evidence: EvidenceSummary | undefined,
  shown: Shown = {},
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

export function levelOf(
  riskLevel: RiskLevel,
  evidence: EvidenceSummary | undefined,
): LevelSummary | undefined {
  return evidence?.state === 'figures'
    ? evidence.levels.find((level) => level.riskLevel === riskLevel)
    : undefined
}

function risksOf({ worst, losingPercent }: LevelSummary): { worst: string; losing: string } {
  return { worst: percentText(worst), losing: percentText(losingPercent, { sign: 'never' }) }
}

/**
 * Whether this installation names targets of returns. If not, screens show past results instead.
 */
export function useNamesTargets(): boolean {
  return useConfig().data?.claims === 'targets'
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
