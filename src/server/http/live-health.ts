import { Gauge, type Registry } from 'prom-client'
import type { Context } from '#server/context.ts'
import type { FeedReport } from '#server/ports/feed.ts'

type LiveHealth = {
  feedConnected: boolean | undefined
  /** Seconds since each pair's price was told. */
  feedAges: Record<string, number>
  stalePairs: string[]
  clockOffsetMs: number | undefined
}

/** What `GET /health` says of a live market; nothing of one that we drive ourselves. */
export function liveHealth({ feed, market }: Pick<Context, 'feed' | 'market'>): LiveHealth | undefined {
  if (!feed.live) return undefined
  const { following, connected, clockOffsetMs } = feed.live.report()
  const ages = feed.pairs.flatMap((pair) => {
    const ageMs = market.ageMs(pair)
    return ageMs === undefined ? [] : [[pair, ageMs / 1_000] as const]
  })
  // A pair without any price has never been heard of: nobody can trade it either.
  const stalePairs = feed.pairs.filter((pair) => market.isStale(pair) || market.ageMs(pair) === undefined)
  return { feedConnected: following ? connected : undefined, feedAges: Object.fromEntries(ages), stalePairs, clockOffsetMs }
}

const REPORTED: readonly [name: string, help: string, value: (report: FeedReport) => number][] = [
  ['feed_connected', '1 while the line to the exchange is up', ({ connected }) => Number(connected)],
  ['feed_reconnects_total', 'Connections to the exchange after the first', ({ reconnects }) => reconnects],
  ['feed_updates_total', 'Prices taken in from the exchange', ({ updates }) => updates],
  ['feed_corrections_total', 'Candles that the exchange told anew and differently, and that were not taken', ({ corrections }) => corrections],
  ['feed_clock_offset_seconds', "How far this machine's clock is behind the exchange's", ({ clockOffsetMs = Number.NaN }) => clockOffsetMs / 1_000],
]

/** What `GET /metrics` says of a live market: the age of each price, and of the line where this process holds it. */
export function registerLiveMetrics(registry: Registry, { feed, market }: Pick<Context, 'feed' | 'market'>): void {
  const { live } = feed
  if (!live) return
  const age = new Gauge({
    name: 'feed_pair_age_seconds',
    help: "Seconds since each pair's price was told",
    labelNames: ['pair'],
    registers: [registry],
    collect: () => {
      for (const pair of feed.pairs) age.set({ pair }, (market.ageMs(pair) ?? Number.NaN) / 1_000)
    },
  })
  for (const [name, help, value] of REPORTED) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(value(live.report())) })
  }
}
