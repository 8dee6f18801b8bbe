import { setImmediate as turn } from 'node:timers/promises'
import type { EvidenceFigures, GuardFigures } from '#contract/evidence.ts'
import type { EvidenceMarket } from '#core/evidence/evidence.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import type { CandleFile } from '#server/ports/compute.ts'
import type { Computing } from './cache-bot-evidence.ts'

/** `shipped`: the shipped evidence, if it applies here. */
export type Computation = Computing & {
  recorded: () => readonly CandleFile[]
  shipped: () => Computed | undefined
  untilMs: number
  signal: AbortSignal
}

/** `files`: empty if the prices are the feed's own. `guards`: only if shipped. */
export type Computed = {
  figures: EvidenceFigures | null
  files: readonly CandleFile[]
  guards?: GuardFigures
}

export async function computeGuards(
  given: Computation,
  { files, guards }: Computed,
): Promise<GuardFigures | null> {
  if (guards) return guards
  const { costs, holdFeeBps, compute, signal } = given
  const markets = files.length > 0 ? files : await ownMarkets(given)
  return compute.run(
    'guardEvidence',
    { markets, costs, feeBps: PERFORMANCE_FEE_BPS, holdFeeBps },
    { owner: 'evidence', gone: signal },
  )
}

/**
 * Computes the evidence from the feed's own prices if they are real (results on a simulated market
 * prove nothing) and their history is long enough, else from recorded candles. Null if no candles
 * span a window.
 */
export async function computeEvidence(given: Computation): Promise<Computed> {
  const own = given.feed.kind === 'simulated' ? null : await computeOwn(given)
  if (own !== null) return { figures: own, files: [] }
  const { recorded, shipped, costs, holdFeeBps, yieldBps, compute, signal } = given
  const ready = shipped()
  if (ready) return ready
  const files = recorded()
  if (files.length === 0) return { figures: null, files }
  return {
    figures: await compute.run(
      'evidence',
      { markets: files, costs, feeBps: PERFORMANCE_FEE_BPS, holdFeeBps, yieldBps },
      { owner: 'evidence', gone: signal },
    ),
    files,
  }
}

/** Null if the candles before `untilMs` are too few for a window. Throws if `signal` aborts it. */
async function computeOwn(given: Computation): Promise<EvidenceFigures | null> {
  const { costs, holdFeeBps, yieldBps, compute, signal } = given
  return compute.run(
    'evidence',
    { markets: await ownMarkets(given), costs, feeBps: PERFORMANCE_FEE_BPS, holdFeeBps, yieldBps },
    { owner: 'evidence', gone: signal },
  )
}

async function ownMarkets({ feed, untilMs, signal }: Computation): Promise<EvidenceMarket[]> {
  const markets: EvidenceMarket[] = []
  for (const pair of feed.pairs) {
    markets.push({ pair, series: feed.candles({ pair, fromMs: 0, toMs: untilMs }) })
    // Yields to requests, because copying one pair's years takes milliseconds.
    await turn()
  }
  signal.throwIfAborted()
  return markets
}
