import type { Evidence, EvidenceFigures, EvidenceSummary } from '#contract/evidence.ts'
import { FIRST_BOT } from '#core/bots/first-bot.ts'
import type { Handler } from '#server/action.ts'
import { PATIENCE_MS } from './keep-evidence.ts'

/** Only the main figures, to keep pages small. */
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
    firstBot: firstBotOf(evidence.figures),
  }
}

/** The figures of the first bot's level; null unless they were computed from exactly its coins. */
function firstBotOf({ pairs, levels }: EvidenceFigures) {
  const level = levels.find(({ riskLevel }) => riskLevel === FIRST_BOT.riskLevel)
  const { tradingPairs } = FIRST_BOT
  const isSame =
    pairs.length === tradingPairs.length && tradingPairs.every((pair) => pairs.includes(pair))
  if (!level || !isSame) return null
  const { worst, median, best } = level
  return { worst: worst.percent, median: median.percent, best: best.percent }
}
