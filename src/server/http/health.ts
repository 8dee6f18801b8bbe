import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import { liveHealth, registerLiveMetrics } from './live-health.ts'
import { isMonitor } from './monitors.ts'
import type { Storage } from './storage.ts'

/** Health checks time out soon: a database that does not answer within this time counts as down. */
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
 * `GET /health`: alive, database, age of the last price (on a live market, of each pair),
 * unfinished blocks, whether orders are halted (the reason may contain balances; `ops doctor` shows
 * it), whether a seal of the book is broken, and whether events of other processes are heard. 503 if the database does not answer, does not write or is full. Halted
 * orders need an operator, not a restart of this process. Strangers learn only whether all is well
 * (`monitors.ts`).
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
          feed: context.feed.label,
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

/** Callers at the same time share one run: anybody may ask, as often as they like. */
function shared<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => (running ??= run().finally(() => (running = undefined)))
}

/** The sentence names rows: `ops reconcile` and the log show it. */
const sealsOf = ({ brokenSeal }: Pulse) => ({ seals: brokenSeal === null ? 'whole' : 'broken' })

const haltOf = ({ haltedAt }: Pulse) => ({
  ordersHalted: haltedAt !== null,
  ...(haltedAt && { haltedAt }),
})

/** Undefined if the database is down: it refuses, fails or does not answer. */
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
 * A database may answer every question and write nothing: one row is written and committed each
 * time.
 */
async function writeRow({ reads }: Context): Promise<true> {
  await reads`insert into throttles (key, window_start, attempts) values ('health', now(), 1)
    on conflict (key) do update set window_start = now()`
  return true
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
  registerLiveMetrics(registry, context)
  return { registry, requests }
}
