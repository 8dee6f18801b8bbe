import type { BotEvidenceFigures } from '#contract/evidence.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import type { Compute, CandleFile } from '#server/ports/compute.ts'
import type { EvidenceBot } from '#server/ports/evidence.ts'
import type { Feed } from '#server/ports/feed.ts'

/**
 * Maximum cached results, some 200 bytes each. Suffices for every strategy on each single pair and
 * on fifty combinations of pairs.
 */
const MOST_KEPT = 500

/**
 * Prices from `files` or, if there are none, the feed's own before `untilMs`. `hash`: of the
 * candles.
 */
export type EvidencePrices = { files: readonly CandleFile[]; untilMs: number; hash: string }

export type Computing = {
  feed: Feed
  costs: TradingCosts
  holdFeeBps: number
  yieldBps?: number | undefined
  compute: Compute
}

type BotEvidenceRequest = EvidenceBot &
  EvidencePrices & { owner: string; gone?: AbortSignal | undefined }

/** Computes the evidence of single bots, and caches the latest results. */
export function cacheBotEvidence({
  feed,
  costs,
  holdFeeBps,
  yieldBps,
  compute,
}: Computing): (request: BotEvidenceRequest) => Promise<BotEvidenceFigures | null> {
  const kept = new Map<string, BotEvidenceFigures | null>()
  const keep = (key: string, figures: BotEvidenceFigures | null): void => {
    const [oldest] = kept.keys()
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(key, figures)
  }
  return async ({ strategy, pairs, files, untilMs, hash, owner, gone }) => {
    const key = [hash, untilMs, strategy, ...pairs].join(' ')
    const known = kept.get(key)
    if (known !== undefined) return known
    const markets =
      files.length > 0
        ? files.filter(({ pair }) => pairs.includes(pair))
        : pairs.map((pair) => ({ pair, series: feed.candles({ pair, fromMs: 0, toMs: untilMs }) }))
    const figures = await compute.run(
      'botEvidence',
      { markets, strategy, costs, feeBps: PERFORMANCE_FEE_BPS, holdFeeBps, yieldBps },
      { owner, gone },
    )
    keep(key, figures)
    return figures
  }
}
