import { inEnglish } from '#core/sentences.ts'
import { setTimeout as delay } from 'node:timers/promises'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import { findWaitingSales } from '#server/trading/waits.ts'
import type { FeedReport } from '#server/ports/feed.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '#server/settings/config.ts'
import { statfs } from 'node:fs/promises'
import { codeOf } from '#server/kernel/errors.ts'
import { capSockets } from './caps.ts'
import { answerError } from './problems.ts'
import { securityHeaders } from './security-headers.ts'
import { serverOptions } from './server-options.ts'

/** Short, because health checks time out early: a slower database counts as down. */
const ANSWER_WITHIN_MS = 2_000

type Pulse = {
  marketTime: Date
  settledTime: Date
  ageSeconds: number
  unfinished: number
  haltedAt: Date | null
  brokenSeal: string | null
}

/**
 * `GET /health`: database, age of the last price (on a live market, of each pair), unfinished
 * blocks, whether orders are halted (the reason may contain balances; `ops doctor` shows it),
 * whether a seal of the book is broken, and whether events of other processes arrive. 503 if the
 * database does not answer, does not write or is full: halted orders need an operator, not a
 * restart. Strangers only see whether all is well.
 */
export function registerHealth(app: FastifyInstance, context: Context, storage: Storage): void {
  const { registry, requests } = openMetrics(context)
  app.addHook('onResponse', (request, reply, done) => {
    requests.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'page',
        status: reply.statusCode,
      },
      reply.elapsedTime / 1_000,
    )
    done()
  })
  const examine = shared(() => examineDatabase(context, storage))
  app.get('/health', async (request, reply) => {
    const { pulse, database } = await examine()
    const market = pulse && {
      marketTime: pulse.marketTime,
      feedAgeSeconds: pulse.ageSeconds,
      unfinishedBlocks: pulse.unfinished,
      ...sealsOf(pulse),
      ...haltOf(pulse),
    }
    const figures = isMonitor(request, context.config)
      ? {
          book: context.config.BOOK,
          feed: inEnglish(context.feed.label),
          events: context.events.isConnected() ? 'ok' : 'down',
          ...market,
          ...liveHealth(context),
        }
      : {}
    return reply
      .code(database === 'ok' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ alive: true, database, ...figures })
  })
  app.get('/metrics', async (request, reply) => {
    if (!isMonitor(request, context.config)) throw new Refusal('not-found')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

type Examined = { pulse: Pulse | undefined; database: 'ok' | 'down' | 'full' }

async function examineDatabase(context: Context, storage: Storage): Promise<Examined> {
  const [pulse, isWritten, isFull] = await Promise.all([
    inTime(readPulse(context)),
    inTime(writeRow(context)),
    storage.isFull(),
  ])
  if (isFull) return { pulse, database: 'full' }
  return { pulse, database: pulse !== undefined && isWritten === true ? 'ok' : 'down' }
}

/** Concurrent callers share one run, because anybody may call at any rate. */
function shared<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => (running ??= run().finally(() => (running = undefined)))
}

/** Without details, which name rows; `ops reconcile` and the log show them. */
const sealsOf = ({ brokenSeal }: Pulse) => ({ seals: brokenSeal === null ? 'whole' : 'broken' })

const haltOf = ({ haltedAt }: Pulse) => ({
  ordersHalted: haltedAt !== null,
  ...(haltedAt && { haltedAt }),
})

/** Undefined if the database is down: it refuses, fails or times out. */
async function inTime<Result>(result: Promise<Result>): Promise<Result | undefined> {
  const silence = new AbortController()
  try {
    return await Promise.race([
      result,
      delay(ANSWER_WITHIN_MS, undefined, { signal: silence.signal }),
    ])
  } catch {
    return undefined
  } finally {
    silence.abort()
  }
}

/**
 * Writes and commits a row, because a database may answer reads and fail writes. On a reader's
 * connection, because the writers' may all wait for locks.
 */
function writeRow({ reads }: Context): Promise<boolean> {
  return atomically(reads, async (tx) => {
    await tx`set transaction read write`
    await tx`insert into throttles (key, window_start, attempts) values ('health', now(), 1)
      on conflict (key) do update set window_start = now()`
    return true
  })
}

async function readPulse({ reads }: Context): Promise<Pulse | undefined> {
  const [pulse] = await reads<Pulse[]>`
    select market_time, settled_time, extract(epoch from clock_timestamp() - updated_at)::float8
           as age_seconds,
           (select count(*)::integer from engine_blocks where state <> 'settled') as unfinished,
           halted_at,
           (select sentence from broken_seal) as broken_seal
      from market_clock`
  return pulse
}

function openMetrics(context: Context): { registry: Registry; requests: Histogram } {
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

type LiveHealth = {
  feedConnected: boolean | undefined
  /** Age of the last price in seconds, by pair. */
  feedAges: Record<string, number>
  stalePairs: string[]
  clockOffsetMs: number | undefined
}

/** Undefined for a simulated or replayed market. */
function liveHealth({ feed, market }: Pick<Context, 'feed' | 'market'>): LiveHealth | undefined {
  if (!feed.live) return undefined
  const { following, connected, clockOffsetMs } = feed.live.report()
  const ages = feed.pairs.flatMap((pair) => {
    const ageMs = market.ageMs(pair)
    return ageMs === undefined ? [] : [[pair, ageMs / 1_000] as const]
  })
  // Includes pairs without a price, which cannot be traded either.
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

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/**
 * Whether the request comes from this machine or has MONITOR_TOKEN. Threat: counts of routes and
 * failures, and whether orders are halted, help attackers. Requests forwarded by a proxy on this
 * machine have X-Forwarded-For, and are not from this machine.
 */
function isMonitor(
  request: FastifyRequest,
  { TRUST_PROXY, MONITOR_TOKEN }: Pick<Config, 'TRUST_PROXY' | 'MONITOR_TOKEN'>,
): boolean {
  const isForwarded =
    TRUST_PROXY === undefined &&
    (request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined)
  if (LOOPBACK.test(request.ip) && !isForwarded) return true
  const [scheme, token = ''] = request.headers.authorization?.split(' ', 2) ?? []
  return (
    MONITOR_TOKEN !== undefined &&
    scheme === 'Bearer' &&
    timingSafeEqual(hashOf(token), hashOf(MONITOR_TOKEN))
  )
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Below this, PostgreSQL will soon have no room for its log, and all writes fail. */
const LEAST_FREE_BYTES = 64 * 1_048_576

/**
 * Time for which a failed write is remembered, because on a full disk small writes may still
 * succeed.
 */
const REMEMBERED_MS = 15_000

/**
 * Whether the database has room: free space of an embedded one, and writes of any that failed for
 * lack of space or memory.
 */
type Storage = { note: (error: Error) => void; isFull: () => Promise<boolean> }

export function watchStorage({
  DATABASE_URL,
  DATA_DIR,
}: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Storage {
  let failedMs = Number.NEGATIVE_INFINITY
  return {
    // SQLSTATE class 53, insufficient resources, without 53300, too many connections.
    note: (error) => {
      if (/^53[12]/.test(codeOf(error))) failedMs = performance.now()
    },
    isFull: async () =>
      performance.now() - failedMs < REMEMBERED_MS ||
      (DATABASE_URL === undefined && (await freeBytes(DATA_DIR)) < LEAST_FREE_BYTES),
  }
}

/** Unlimited if the folder cannot be examined, because then the database is not in it. */
async function freeBytes(folder: string): Promise<number> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  )
}

/** `/health` and `/metrics` of a process that serves no users, not listening yet. */
export function openFigures(context: Context): FastifyInstance {
  const app = fastify(serverOptions(context))
  const headers = securityHeaders(context.config)
  app.setErrorHandler(answerError)
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers)
    done()
  })
  capSockets(app.server, context.config)
  registerHealth(app, context, watchStorage(context.config))
  return app
}
