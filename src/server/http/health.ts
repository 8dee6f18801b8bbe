import { createHash, timingSafeEqual } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Refusal } from '#core/refusal.ts'
import { inEnglish } from '#core/sentences.ts'
import type { Context } from '#server/context.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Config } from '#server/settings/config.ts'
import { capSockets } from './caps.ts'
import { openMetrics } from './metrics.ts'
import { answerError } from './problems.ts'
import { inTime, readPulse, type Pulse } from './pulse.ts'
import { securityHeaders } from './security-headers.ts'
import { serverOptions } from './server-options.ts'
import { watchStorage, type Storage } from './storage.ts'

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

/** Leaves out details, because they name rows. `ops reconcile` and the log show them. */
const sealsOf = ({ brokenSeal }: Pulse) => ({ seals: brokenSeal === null ? 'whole' : 'broken' })

const haltOf = ({ haltedAt }: Pulse) => ({
  ordersHalted: haltedAt !== null,
  ...(haltedAt && { haltedAt }),
})

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
