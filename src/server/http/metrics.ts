import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '#server/context.ts'
import type { FeedReport } from '#server/ports/feed.ts'
import { findWaitingSales } from '#server/trading/waits.ts'
import { inTime, readPulse } from './pulse.ts'

export function openMetrics(context: Context): { registry: Registry; requests: Histogram } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2],
    registers: [registry],
  })
  const age = new Gauge({
    name: 'feed_age_seconds',
    help: 'Seconds since the engine last wrote prices',
    registers: [registry],
    collect: async () => {
      const pulse = await inTime(readPulse(context))
      if (pulse) age.set(pulse.ageSeconds)
    },
  })
  const halted = new Gauge({
    name: 'orders_halted',
    help: '1 while orders are halted, by an operator or by a difference between exchange and book',
    registers: [registry],
    collect: async () => {
      const pulse = await inTime(readPulse(context))
      if (pulse) halted.set(Number(pulse.haltedAt !== null))
    },
  })
  const connected: Gauge = new Gauge({
    name: 'events_connected',
    help: '1 while events of other processes are heard',
    registers: [registry],
    collect: () => connected.set(Number(context.events.isConnected())),
  })
  registerWaits(registry, context)
  registerLiveMetrics(registry, context)
  return { registry, requests }
}

function registerWaits(registry: Registry, { reads }: Pick<Context, 'reads'>): void {
  const waiting = new Gauge({
    name: 'waiting_sales',
    help: 'Bots that a pair has kept from selling for more than an hour',
    labelNames: ['pair', 'reason'],
    registers: [registry],
    collect: async () => {
      const waits = await inTime(findWaitingSales(reads))
      if (waits === undefined) return
      waiting.reset()
      for (const { pair, reason, bots } of waits) waiting.set({ pair, reason }, bots)
    },
  })
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

function registerLiveMetrics(
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
