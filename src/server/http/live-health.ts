import { Gauge, type Registry } from 'prom-client'
import type { Context } from '#server/context.ts'
import type { FeedReport } from '#server/ports/feed.ts'

type LiveHealth = {
  feedConnected: boolean | undefined
  /** Age of each pair's price, in seconds. */
  feedAges: Record<string, number>
  stalePairs: string[]
  clockOffsetMs: number | undefined
}

/** The part of `GET /health` for a live market; undefined for a market that we drive ourselves. */
export function liveHealth({
  feed,
  market,
}: Pick<Context, 'feed' | 'market'>): LiveHealth | undefined {
  if (!feed.live) return undefined
  const { following, connected, clockOffsetMs } = feed.live.report()
  const ages = feed.pairs.flatMap((pair) => {
    const ageMs = market.ageMs(pair)
    return ageMs === undefined ? [] : [[pair, ageMs / 1_000] as const]
  })
  // A pair without a price counts as stale: it cannot trade either.
  const stalePairs = feed.pairs.filter(
    (pair) => market.isStale(pair) || market.ageMs(pair) === undefined,
  )
  return {
    feedConnected: following ? connected : undefined,
    feedAges: Object.fromEntries(ages),
    stalePairs,
    clockOffsetMs,
  }
}

const REPORTED: readonly [name: string, help: string, value: (report: FeedReport) => number][] = [
  [
    'feed_connected',
    '1 while the connection to the exchange is up',
    ({ connected }) => Number(connected),
  ],
  [
    'feed_reconnects_total',
    'Connections to the exchange after the first',
    ({ reconnects }) => reconnects,
  ],
  ['feed_updates_total', 'Prices received from the exchange', ({ updates }) => updates],
  [
    'feed_corrections_total',
    'Candles that the exchange sent again with other values, and that were ignored',
    ({ corrections }) => corrections,
  ],
  [
    'feed_clock_offset_seconds',
    "How far this machine's clock is behind the exchange's",
    ({ clockOffsetMs = Number.NaN }) => clockOffsetMs / 1_000,
  ],
]

/**
 * The part of `GET /metrics` for a live market: the age of each price, and the connection if this
 * process holds it.
 */
export function registerLiveMetrics(
  registry: Registry,
  { feed, market }: Pick<Context, 'feed' | 'market'>,
): void {
  const { live } = feed
  if (!live) return
  const age = new Gauge({
    name: 'feed_pair_age_seconds',
    help: "Age of each pair's price in seconds",
    labelNames: ['pair'],
    registers: [registry],
    collect: () => {
      for (const pair of feed.pairs) age.set({ pair }, (market.ageMs(pair) ?? Number.NaN) / 1_000)
    },
  })
  for (const [name, help, value] of REPORTED) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => gauge.set(value(live.report())),
    })
  }
}
