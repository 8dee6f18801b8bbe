import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { buildApp } from './app-build.ts'
import { readConfig, type Config } from './config.ts'
import { openContext } from './context.ts'
import { checkBook } from './db/check-book.ts'
import { startEmbeddedPostgres } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { openServer } from './http/server.ts'
import { runJobs } from './jobs/run-jobs.ts'
import { StartupError } from './startup-error.ts'
import { leadEngine } from './trading/lead.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type Stop = () => Promise<void>

/** Things to stop, the last started first. */
const stops: Stop[] = []
let stopping: Promise<void> | undefined

async function start(config: Config): Promise<void> {
  const log = pino({ level: config.LOG_LEVEL })
  const serves = config.ROLES.includes('web')
  const [pages, url] = await Promise.all([serves ? buildApp({ root: ROOT, log }) : '', databaseUrl(config, log)])
  const sql = await openDatabase(url, { poolSize: 16 })
  stops.push(() => sql.end({ timeout: 5 }))
  await migrate(sql)
  await checkBook(sql, config.BOOK)
  const context = openContext({ config, sql, log })
  await context.market.refresh()
  const ended = new AbortController()
  const background: Promise<void>[] = []
  stops.push(async () => {
    ended.abort()
    await Promise.allSettled(background)
  })
  if (config.ROLES.includes('engine')) background.push(leadEngine(context, ended.signal).catch(fail))
  if (config.ROLES.includes('jobs')) background.push(runJobs(context, ended.signal))
  if (!serves) return
  const app = await openServer(context, { pages })
  stops.push(() => app.close())
  await listen(app, config)
}

async function databaseUrl(config: Config, log: pino.Logger): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL
  const embedded = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log, onGivenUp: fail })
  stops.push(() => embedded.stop())
  return embedded.url
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

/** Stops everything once, in order; a second signal does not wait. */
function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (const stop of stops.toReversed()) await stop()
  })()
  return stopping
}

function fail(error: unknown): void {
  const sentence = error instanceof StartupError ? error.message : error
  console.error(sentence)
  process.exitCode = 1
  void stopAll().finally(() => process.exit(1))
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void stopAll().then(() => process.exit(0), fail))
}

try {
  await start(readConfig())
} catch (error) {
  fail(error)
}
