import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/db/embedded.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { databaseUrl } from '../process/postgres.ts'
import { makeDataDir, removeDataDir } from '../process/running-server.ts'
import { postgresOf, signalAll } from './processes.ts'

/** A separate PostgreSQL for DATABASE_URL, which tests can stop and restart. */
export type OwnPostgres = {
  /** An empty database on it. */
  url: string
  /** The test's own pool, while it runs. */
  sql: () => Promise<Sql>
  stop: () => Promise<void>
  startAgain: () => Promise<void>
  /** Stops its processes: connections are accepted but nothing responds. */
  freeze: () => void
  thaw: () => void
  remove: () => Promise<void>
}

const DATABASE = 'book'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await makeDataDir()
  let running: EmbeddedPostgres | undefined = await startEmbeddedPostgres({ dataDir, log })
  const maintenance = await openDatabase(running.url, { poolSize: 1 })
  await maintenance`create database ${maintenance(DATABASE)}`
  await maintenance.end()
  const url = databaseUrl(running.url, DATABASE)
  const port = Number(new URL(url).port)
  const stop = async () => {
    await running?.stop()
    running = undefined
  }
  return {
    url,
    sql: () => openDatabase(url, { poolSize: 2, applicationName: 'test' }),
    stop,
    startAgain: async () => {
      running ??= await startEmbeddedPostgres({ dataDir, port, log })
    },
    freeze: () => signalAll(postgresOf(dataDir), 'SIGSTOP'),
    thaw: () => signalAll(postgresOf(dataDir), 'SIGCONT'),
    remove: async () => {
      signalAll(postgresOf(dataDir), 'SIGCONT')
      await stop()
      await removeDataDir(dataDir)
    },
  }
}
