import type { Bundle } from '#contract/bundle.ts'
import type { Pair } from '#core/market/pair.ts'
import { choiceOf, feeBpsOf, type StrategyKey } from '#core/strategy/strategy-key.ts'
import type { BundleWork } from '#server/ports/compute.ts'
import type { Feed } from '#server/ports/feed.ts'
import { originOfFeed } from './bundle.ts'
import type { Computing, EvidencePrices } from './cache-bot-evidence.ts'

/**
 * Maximum cached bundles, some 100 kB each. Suffices for every strategy of the evidence page, and
 * as many bots.
 */
const MOST_KEPT = 16

/** `pairs`: those of a bot, else all. */
type OwnedBundleRequest = EvidencePrices & {
  strategy: StrategyKey
  pairs?: readonly Pair[] | undefined
  owner: string
}

/**
 * Computes bundles and caches the latest. If a request times out first, the next one gets the
 * result.
 */
export function evidenceBundles({
  feed,
  costs,
  holdFeeBps,
  yieldBps,
  compute,
}: Computing): (request: OwnedBundleRequest) => Promise<Bundle | null> {
  const kept = new Map<string, Promise<Bundle | null>>()
  const make = ({ strategy, pairs, files, untilMs, owner }: OwnedBundleRequest) => {
    const markets = marketsOf({ feed, files, untilMs }).filter(
      ({ pair }) => pairs?.includes(pair) ?? true,
    )
    const money = { costs, feeBps: feeBpsOf(choiceOf(strategy).strategy, { holdFeeBps }), yieldBps }
    return markets.length === 0
      ? Promise.resolve(null)
      : compute.run('bundle', { strategy, task: { kind: 'windows' }, markets, ...money }, { owner })
  }
  return (request) => {
    const { hash, untilMs, strategy, pairs } = request
    const key = `${hash} ${untilMs} ${strategy} ${pairs?.join() ?? ''}`
    const known = kept.get(key)
    if (known) return known
    const [oldest] = kept.keys()
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    // Several requests wait for one computation, so that none of them aborts it.
    const made = make(request)
    kept.set(key, made)
    made.catch(() => kept.delete(key))
    return made
  }
}

function marketsOf({
  feed,
  files,
  untilMs,
}: { feed: Feed } & Pick<EvidencePrices, 'files' | 'untilMs'>): BundleWork['markets'] {
  if (files.length > 0)
    return files.map(({ pair, file, count, exchange, source, licence }) => ({
      pair,
      file,
      count,
      origin: { exchange, source, licence, seed: null },
    }))
  const origin = originOfFeed(feed)
  return feed.pairs
    .map((pair) => ({ pair, series: feed.candles({ pair, fromMs: 0, toMs: untilMs }), origin }))
    .filter(({ series }) => series.length > 0)
}
