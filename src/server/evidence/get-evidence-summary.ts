import type { Evidence, EvidenceSummary } from '#contract/evidence.ts'
import type { Handler } from '#server/action.ts'
import { PATIENCE_MS } from './keep-evidence.ts'

/** Three figures of each level, which keep a page small. */
export const getEvidenceSummary: Handler<'getEvidenceSummary'> = async ({ evidence }) =>
  summaryOf(await evidence.soon(PATIENCE_MS))

function summaryOf(evidence: Evidence): EvidenceSummary {
  if (evidence.state !== 'figures') return { state: evidence.state, sentence: evidence.sentence }
  const levels = evidence.figures.levels.map(({ riskLevel, median, worst, losingPercent }) => ({
    riskLevel,
    median: median.percent,
    worst: worst.percent,
    losingPercent,
  }))
  return {
    state: 'figures',
    hypothetical: true,
    prices: evidence.note === null ? null : evidence.feedLabel,
    levels,
  }
}
