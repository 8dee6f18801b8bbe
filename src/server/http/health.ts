import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '#server/context.ts'
import { liveHealth, registerLiveMetrics } from './live-health.ts'

/** Health checks time out soon: a database that does not answer within this time counts as down. */
const ANSWER_WITHIN_MS = 2_000

type Pulse = { marketTime: Date; settledTime: Date; ageSeconds: number; unfinished: number; haltedAt: Date | null }

/**
 * `GET /health`: alive, database, age of the last price (on a live market, of each pair), unfinished blocks, whether orders are halted (the
 * reason may contain balances; `ops doctor` shows it).
 * 503 if the database does not answer. Halted orders need an operator, not a restart of this process.
 */
export function registerHealth(app: FastifyInstance, context: Context): void {
  const { registry, requests } = openMetrics(context)
  app.addHook('onResponse', (request, reply, done) => {
    requests.observe({ method: request.method, route: request.routeOptions.url ?? 'page', status: reply.statusCode }, reply.elapsedTime / 1_000)
    done()
  })
  app.get('/health', async (_request, reply) => {
    const pulse = await findPulse(context)
    const market = pulse && { marketTime: pulse.marketTime, feedAgeSeconds: pulse.ageSeconds, unfinishedBlocks: pulse.unfinished, ...haltOf(pulse) }
    return reply
      .code(pulse ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ alive: true, book: context.config.BOOK, database: pulse ? 'ok' : 'down', feed: context.feed.label, ...market, ...liveHealth(context) })
  })
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}

const haltOf = ({ haltedAt }: Pulse) => ({ ordersHalted: haltedAt !== null, ...(haltedAt && { haltedAt }) })

/** Undefined if the database is down: it refuses, fails or does not answer. */
async function findPulse(context: Context): Promise<Pulse | undefined> {
  const silence = new AbortController()
  try {
    return await Promise.race([readPulse(context), delay(ANSWER_WITHIN_MS, undefined, { signal: silence.signal })])
  } catch {
    return undefined
  } finally {
    silence.abort()
  }
}

async function readPulse({ sql }: Context): Promise<Pulse | undefined> {
  const [pulse] = await sql<Pulse[]>`
    select market_time, settled_time, extract(epoch from clock_timestamp() - updated_at)::float8 as age_seconds,
           (select count(*)::integer from engine_blocks where state <> 'settled') as unfinished, halted_at
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
      const pulse = await findPulse(context)
      if (pulse) age.set(pulse.ageSeconds)
    },
  })
  const halted = new Gauge({
    name: 'orders_halted',
    help: '1 while orders are halted, by an operator or by a difference between exchange and book',
    registers: [registry],
    collect: async () => {
      const pulse = await findPulse(context)
      if (pulse) halted.set(Number(pulse.haltedAt !== null))
    },
  })
  registerLiveMetrics(registry, context)
  return { registry, requests }
}
