import { url as inspectorUrl } from 'node:inspector'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { readConfig, type Config } from './settings/config.ts'
import { openConsole } from './console/open-console.ts'
import type { Context } from './context.ts'
import { isConnectionLoss } from './db/atomically.ts'
import { bookOn } from './db/book.ts'
import { isSameBook } from './db/check-book.ts'
import { startEmbeddedPostgres } from './db/embedded.ts'
import { connectPatiently } from './db/client.ts'
import {
  openDatabase,
  READING_POOL_SIZE,
  WEB_PATIENCE,
  type SqlOptions,
  type Sql,
} from './db/open.ts'
import { prepareDatabase } from './db/prepare.ts'
import { listen } from './http/listen.ts'
import { openFigures } from './http/health.ts'
import { openBook, sealNow } from './ledger/guard-seals.ts'
import { keepPort } from './settings/own-address.ts'
import { runJobs } from './jobs/run-jobs.ts'
import { startClock } from './market/clock.ts'
import { openContext, openFeed } from './open-context.ts'
import { buildApp } from './pages/build-app.ts'
import { readableLog, whenUnread } from './kernel/readable-log.ts'
import { openServer } from './server.ts'
import { StartupError } from './kernel/errors.ts'
import { refuseForeignSettlement } from './stripe/open-stripe.ts'
import { leadEngine } from './trading/lead.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type Stop = () => Promise<unknown>

/**
 * Time given to the engine and the jobs to stop: they may be waiting for an unresponsive database.
 */
const STOP_PATIENCE_MS = 5_000

const SAY_EVERY_MS = 10_000

/** Functions that stop the parts of this process, in the order in which the parts were started. */
const stops: Stop[] = []
let stopping: Promise<void> | undefined

async function start(config: Config): Promise<void> {
  refuseDebugger(config)
  const log = openLog(config)
  const connectPromptly = connectPatiently()
  const serves = config.ROLES.includes('web')
  const [pages, urls] = await Promise.all([
    serves ? waits(log, 'the app to be built', pagesOfApp(log)) : '',
    waits(log, 'PostgreSQL to start', databaseUrls(config, log)),
  ])
  const context = await openBookAndMarket(config, { log, urls })
  startBackground(context)
  if (!serves) return startFigures(context).finally(connectPromptly)
  const address = await serve(context, { pages, urls })
  connectPromptly()
  process.stdout.write(`Trading Bot is ready: ${address}\n`)
  if (process.stdout.isTTY)
    process.stdout.write(
      `Started in ${secondsSinceStart()} s. Open the address in a browser; Ctrl+C stops the ` +
        `server.\n`,
    )
  // Runs before the first visitor, because the replay starts a thread.
  await context
    .sampleBot()
    .catch((error: unknown) => log.warn(error, 'the sample bot could not be replayed'))
}

type Opened = { log: pino.Logger; urls: DatabaseUrls }

async function openBookAndMarket(config: Config, { log, urls }: Opened): Promise<Context> {
  const { url, pooledUrl, ownerUrl } = urls
  const setting = pooledUrl === undefined ? 'DATABASE_URL' : 'DATABASE_SESSION_URL'
  const sql = await opened(waits(log, 'the database to answer', openDatabase(url, { setting })))
  await waits(log, 'the database to be migrated', prepareDatabase(sql, ownerUrl))
  log.info(`The database is ready after ${secondsSinceStart()} s`)
  const book = await waits(log, 'the seals of the book to be checked', openBook(sql, config))
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl } = config
  if (config.BOOK === 'live')
    await waits(log, 'Stripe to answer', refuseForeignSettlement({ secretKey, apiUrl }, log))
  const feed = await waits(log, 'the market to open', openFeed({ config, sql, log }))
  const context = openContext({ ...book, config, log, feed })
  const at = new Date(feed.beginMs(context.now().getTime()))
  await startClock(sql, { feed: feed.identity, at })
  await waits(log, "the market's prices", context.market.refresh())
  return context
}

/** Starts the engine and the jobs if this process has these roles. */
function startBackground(context: Context): void {
  const { config, feed } = context
  const ended = new AbortController()
  const background: Promise<void>[] = []
  stops.push(async () => {
    ended.abort()
    await Promise.race([
      Promise.allSettled(background),
      delay(STOP_PATIENCE_MS, undefined, { ref: false }),
    ])
  })
  if (config.ROLES.includes('engine')) {
    if (feed.live) background.push(feed.live.follow(ended.signal).catch(fail))
    background.push(leadEngine(context, ended.signal).catch(fail))
  }
  if (config.ROLES.includes('jobs'))
    background.push(runJobs(context, ended.signal).then(() => sealNow(context)))
}

/** Serves users, and operators on a port of their own. Returns the address for users. */
async function serve(
  context: Context,
  { pages, urls: { url, pooledUrl } }: { pages: string; urls: DatabaseUrls },
): Promise<string> {
  const { config, log, sql, seals } = context
  const forRequests = (options: SqlOptions) =>
    opened(
      openDatabase(pooledUrl ?? url, {
        patience: WEB_PATIENCE,
        sessionUrl: pooledUrl && url,
        ...options,
      }),
    )
  const [web, reads] = await waits(
    log,
    'the database to answer',
    Promise.all([forRequests({}), forRequests({ poolSize: READING_POOL_SIZE, isReadOnly: true })]),
  )
  if (pooledUrl !== undefined && !(await isSameBook(web, sql)))
    throw new StartupError(
      'DATABASE_URL and DATABASE_SESSION_URL lead to different books: both must lead to the ' +
        'same database.',
    )
  const app = await waits(
    log,
    'the pages to load',
    openServer({ ...context, ...bookOn(web, seals), reads }, { pages }),
  )
  stops.push(() => app.close())
  const address = await listen(app, config, { host: 'HOST', port: 'PORT' })
  // With PORT=0, links in messages need the actual port, here and in commands.
  config.PORT = Number(new URL(address).port)
  keepPort(config.DATA_DIR, config.PORT)
  await startConsole(context, app)
  return address
}

/** Threat: whoever reaches a debugger's port reads every secret and runs any code as the server. */
function refuseDebugger({ BOOK }: Config): void {
  if (BOOK === 'live' && inspectorUrl() !== undefined)
    throw new StartupError(
      'A live book runs without a debugger: start it without --inspect, and look into ' +
        'NODE_OPTIONS.',
    )
}

/**
 * Serves the operators' pages on a port of their own, so that a proxy cannot publish them by
 * mistake.
 */
async function startConsole(context: Context, product: FastifyInstance): Promise<void> {
  if (context.config.OPERATOR_PORT === undefined) return
  const app = await openConsole(context, product)
  stops.push(() => app.close())
  const address = await listen(app, context.config, {
    host: 'OPERATOR_HOST',
    port: 'OPERATOR_PORT',
  })
  context.log.info(`The operators' pages are at ${address}`)
}

/**
 * Serves health and metrics in a process without the users' server, on the operators' port, because
 * monitors check every process.
 */
async function startFigures(context: Context): Promise<void> {
  const app = openFigures(context)
  stops.push(() => app.close())
  const address = await listen(
    app,
    context.config,
    context.config.OPERATOR_PORT === undefined
      ? { host: 'HOST', port: 'PORT' }
      : { host: 'OPERATOR_HOST', port: 'OPERATOR_PORT' },
  )
  context.log.info(`Health and metrics are at ${address}`)
}

/** Registers the pool to be closed at shutdown. */
async function opened(opening: Promise<Sql>): Promise<Sql> {
  const sql = await opening
  stops.push(() => sql.end({ timeout: 5 }))
  return sql
}

/** JSON lines, or readable ones on a terminal. */
function openLog({ LOG_LEVEL }: Config): pino.Logger {
  if (process.stdout.isTTY)
    return pino({ level: LOG_LEVEL, base: null }, readableLog(process.stdout))
  const lines = pino.destination(process.stdout.fd)
  lines.on('error', () => void stopAll())
  return pino({ level: LOG_LEVEL }, lines)
}

const secondsSinceStart = (): string => process.uptime().toFixed(1)

async function pagesOfApp(log: pino.Logger): Promise<string> {
  const wanted = new AbortController()
  const building = buildApp({ root: ROOT, log, signal: wanted.signal })
  stops.push(async () => {
    wanted.abort()
    await building.catch(() => undefined)
  })
  const pages = await building
  log.info(`The app is ready after ${secondsSinceStart()} s`)
  return pages
}

/**
 * `pooledUrl`: the same database through a pooler, only for requests, because the engine, jobs,
 * locks and LISTEN need sessions of their own.
 */
type DatabaseUrls = { url: string; pooledUrl: string | undefined; ownerUrl: string | undefined }

async function databaseUrls(config: Config, log: pino.Logger): Promise<DatabaseUrls> {
  const { DATABASE_URL, DATABASE_SESSION_URL, DATABASE_OWNER_URL: configured } = config
  if (DATABASE_SESSION_URL !== undefined)
    return { url: DATABASE_SESSION_URL, pooledUrl: DATABASE_URL, ownerUrl: configured }
  if (DATABASE_URL !== undefined)
    return { url: DATABASE_URL, pooledUrl: undefined, ownerUrl: configured }
  const starting = startEmbeddedPostgres({ dataDir: config.DATA_DIR, log, onGivenUp: fail })
  // Registered before PostgreSQL starts, so that neither a signal nor an error during the start
  // leaves it running.
  stops.push(() =>
    starting.then(
      (embedded) => embedded.stop(),
      () => undefined,
    ),
  )
  const { url: ownerUrl, appUrl: url } = await starting
  return { url, pooledUrl: undefined, ownerUrl }
}

/**
 * Stops all parts in reverse order, then ends the process. Runs once, although signals arrive
 * twice: a terminal signals both npm and us, and npm forwards its signal.
 */
async function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (const stop of stops.toReversed()) await stop().catch(complain)
  })()
  await stopping
  process.exit()
}

/** Ignores errors during the stop, because the stop causes them. */
function fail(error: unknown): void {
  if (stopping !== undefined) return
  complain(error)
  void stopAll()
}

function complain(error: unknown): void {
  console.error(error instanceof StartupError ? error.message : error)
  process.exitCode = 1
}

/**
 * A connection lost while idle must not end this process, because the next query reconnects. Every
 * other unhandled rejection is our bug.
 */
process.on('unhandledRejection', (error) => {
  if (!isConnectionLoss(error)) fail(error)
})

/** Without a listener, Node would open the debugger's port on this signal. */
process.on('SIGUSR1', () => undefined)

whenUnread(() => void stopAll())

// A closed terminal sends SIGHUP. No listener under nohup, which ignores the signal.
for (const signal of [
  'SIGTERM',
  'SIGINT',
  ...(process.stdout.isTTY ? ['SIGHUP' as const] : []),
] as const)
  process.on(signal, () => void stopAll())

try {
  await start(readConfig())
} catch (error) {
  fail(error)
}

/**
 * Logs every ten seconds what this process waits for, so that a slow start does not look like a
 * hang.
 */
async function waits<Result>(
  log: { warn: (message: string) => void },
  what: string,
  work: Promise<Result>,
): Promise<Result> {
  const sinceMs = performance.now()
  const timer = setInterval(
    () =>
      log.warn(
        `Waiting for ${what}, for ${((performance.now() - sinceMs) / 1_000).toFixed(0)} s now`,
      ),
    SAY_EVERY_MS,
  )
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
