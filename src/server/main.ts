import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { readConfig, type Config } from './config.ts'
import { isConnectionLoss } from './db/atomically.ts'
import { checkBook } from './db/check-book.ts'
import { startEmbeddedPostgres } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { runJobs } from './jobs/run-jobs.ts'
import { startClock } from './market/clock.ts'
import { openContext, openFeed } from './open-context.ts'
import { buildApp } from './pages/build-app.ts'
import { openServer } from './server.ts'
import { StartupError } from './startup-error.ts'
import { leadEngine } from './trading/lead.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type Stop = () => Promise<unknown>

/** Engine and jobs may wait for a database that does not answer: after this long they are left behind. */
const STOP_PATIENCE_MS = 5_000

/** Things to stop, the last started first. */
const stops: Stop[] = []
let stopping: Promise<void> | undefined

async function start(config: Config): Promise<void> {
  const log = pino({ level: config.LOG_LEVEL })
  const serves = config.ROLES.includes('web')
  const [pages, url] = await Promise.all([serves ? pagesOfApp(log) : '', databaseUrl(config, log)])
  const sql = await openDatabase(url)
  stops.push(() => sql.end({ timeout: 5 }))
  await migrate(sql)
  await checkBook(sql, config.BOOK)
  const context = openContext({ config, sql, log, feed: await openFeed({ config, sql, log }) })
  await startClock(sql, { feed: context.feed.identity, at: new Date(context.feed.beginMs(context.now().getTime())) })
  await context.market.refresh()
  const ended = new AbortController()
  const background: Promise<void>[] = []
  stops.push(async () => {
    ended.abort()
    await Promise.race([Promise.allSettled(background), delay(STOP_PATIENCE_MS, undefined, { ref: false })])
  })
  if (config.ROLES.includes('engine')) {
    if (context.feed.live) background.push(context.feed.live.follow(ended.signal).catch(fail))
    background.push(leadEngine(context, ended.signal).catch(fail))
  }
  if (config.ROLES.includes('jobs')) background.push(runJobs(context, ended.signal))
  if (!serves) return
  const app = await openServer(context, { pages })
  stops.push(() => app.close())
  await listen(app, config)
}

async function pagesOfApp(log: pino.Logger): Promise<string> {
  const wanted = new AbortController()
  const building = buildApp({ root: ROOT, log, signal: wanted.signal })
  stops.push(async () => {
    wanted.abort()
    await building.catch(() => undefined)
  })
  return building
}

async function databaseUrl(config: Config, log: pino.Logger): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL
  const starting = startEmbeddedPostgres({ dataDir: config.DATA_DIR, log, onGivenUp: fail })
  // Known before it runs: neither a signal nor a fault in the middle of the start leaves it behind.
  stops.push(() => starting.then((embedded) => embedded.stop(), () => undefined))
  return (await starting).url
}

async function listen(app: Awaited<ReturnType<typeof openServer>>, { HOST, PORT }: Config): Promise<void> {
  try {
    const address = await app.listen({ host: HOST, port: PORT })
    process.stdout.write(`Trading Bot is ready: ${address}\n`)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EADDRINUSE') throw new StartupError(`Port ${PORT} is taken: stop what uses it, or set PORT to another.`)
    if (code === 'EACCES') throw new StartupError(`Port ${PORT} may not be used by this user: set PORT to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new StartupError(`HOST ${HOST} is not an address of this machine.`)
    throw error
  }
}

/** Stops everything once, in order, and ends the process. A terminal sends its signal to npm and to us, npm passes its own on. */
async function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (const stop of stops.toReversed()) await stop().catch(complain)
  })()
  await stopping
  process.exit()
}

/** What fails while everything is being stopped fails because of that. */
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
 * The driver (postgres 3.4.9) asks for the array types whenever it connects, and lets nobody catch that: a database that dies twice in a
 * row would end us. The connection is made again with the next query; what else nobody catches is our bug.
 */
process.on('unhandledRejection', (error) => {
  if (!isConnectionLoss(error)) fail(error)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stopAll())

try {
  await start(readConfig())
} catch (error) {
  fail(error)
}
