import { setImmediate as turn } from 'node:timers/promises'
import type { EvidenceFigures } from '#contract/evidence.ts'
import type { EvidenceMarket } from '#core/evidence/evidence.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Compute } from '#server/ports/compute.ts'
import type { Feed } from '#server/ports/feed.ts'

export type Computation = { feed: Feed; costs: TradingCosts; untilMs: number; compute: Compute; signal: AbortSignal }

/** The evidence over all candles of the feed before `untilMs`; null if they are too few for a window. Throws if `signal` aborts it. */
export async function computeEvidence({ feed, costs, untilMs, compute, signal }: Computation): Promise<EvidenceFigures | null> {
  const markets: EvidenceMarket[] = []
  for (const pair of feed.pairs) {
    markets.push({ pair, series: feed.candles({ pair, fromMs: 0, toMs: untilMs }) })
    // Copying one pair's years takes milliseconds: yield to requests in between.
    await turn()
  }
  signal.throwIfAborted()
  return compute.run('evidence', { markets, costs, feeBps: PERFORMANCE_FEE_BPS }, { owner: 'evidence', gone: signal })
}
