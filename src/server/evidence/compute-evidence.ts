import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { EvidenceFigures } from '#contract/evidence.ts'
import type { EvidenceInput, EvidenceMarket } from '#core/evidence/evidence.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Feed } from '#server/ports/feed.ts'

export type Computation = { feed: Feed; costs: TradingCosts; untilMs: number; signal: AbortSignal }

/** The evidence over all candles of the feed before `untilMs`; null if they are too few for a window. Throws if `signal` aborts it. */
export async function computeEvidence({ feed, costs, untilMs, signal }: Computation): Promise<EvidenceFigures | null> {
  const markets: EvidenceMarket[] = []
  for (const pair of feed.pairs) {
    markets.push({ pair, series: feed.candles({ pair, fromMs: 0, toMs: untilMs }) })
    // Copying one pair's years takes milliseconds: yield to requests in between.
    await turn()
  }
  signal.throwIfAborted()
  return inThread({ markets, costs, feeBps: PERFORMANCE_FEE_BPS }, signal)
}

function inThread(input: EvidenceInput, signal: AbortSignal): Promise<EvidenceFigures | null> {
  const worker = new Worker(new URL('./evidence-worker.ts', import.meta.url), { workerData: input })
  const end = () => void worker.terminate()
  signal.addEventListener('abort', end, { once: true })
  return new Promise<EvidenceFigures | null>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread ended without a result')))
  }).finally(() => signal.removeEventListener('abort', end))
}
