import { spawnSync } from 'node:child_process'
import { appendFile, chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'
import { findFreePort, urlOf } from '#server/db/embedded/access.ts'
import { openCluster, type Cluster } from '#server/db/embedded/cluster.ts'
import { spawnPostmaster } from '#server/db/embedded/postmaster.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { databaseUrl } from '../process/postgres.ts'
import { makeDataDir, removeDataDir } from '../process/running-server.ts'
import { postgresOf, signalAll, until } from './processes.ts'

/**
 * Two PostgreSQLs, one of which follows the other and confirms every commit, so that it can take
 * its place.
 */
export type PrimaryAndStandby = {
  /** An empty database, with the hosts of both. */
  url: string
  /** A pool on whichever takes writes. */
  sql: () => Promise<Sql>
  /** A fast shutdown of the primary, and its start. */
  restart: () => Promise<void>
  /** The primary dies for good, and the standby takes its place. */
  promote: () => Promise<void>
  remove: () => Promise<void>
}

const DATABASE = 'book'
const READY_TIMEOUT_MS = 300_000

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

export async function startPrimaryAndStandby(): Promise<PrimaryAndStandby> {
  const dataDirs = [await makeDataDir(), await makeDataDir()] as const
  const made = await startEmbeddedPostgres({ dataDir: dataDirs[0], log })
  const maintenance = await openDatabase(made.url, { poolSize: 1 })
  await maintenance`create database ${maintenance(DATABASE)}`
  await maintenance.end()
  await made.stop()
  const primary = await openCluster({ dataDir: dataDirs[0], port: undefined })
  const standby = await copyAsStandby(primary, dataDirs[1])
  let first = await spawnPostmaster(primary)
  const second = await spawnPostmaster(standby)
  const urls = [primary, standby].map(({ access }) => databaseUrl(urlOf(access), DATABASE)) as [
    string,
    string,
  ]
  const url = urls[0].replace(
    `:${primary.access.port}/`,
    `:${primary.access.port},127.0.0.1:${standby.access.port}/`,
  )
  await untilFollowed(urls[0])
  return {
    url,
    sql: () => openDatabase(url, { poolSize: 2, applicationName: 'test' }),
    restart: async () => {
      await first.stop()
      first = await spawnPostmaster(primary)
    },
    promote: async () => {
      signalAll(postgresOf(dataDirs[0]), 'SIGKILL')
      const sql = await openDatabase(urls[1], { poolSize: 1 })
      await sql`select pg_promote(true, 30)`
      await sql.end()
    },
    remove: async () => {
      for (const dataDir of dataDirs) signalAll(postgresOf(dataDir), 'SIGKILL')
      await Promise.all([first.ended, second.ended])
      await Promise.all(dataDirs.map(removeDataDir))
    },
  }
}

/** Copies the folder of a PostgreSQL that does not run, and makes the copy follow it. */
async function copyAsStandby(primary: Cluster, dataDir: string): Promise<Cluster> {
  const home = join(dataDir, 'postgres')
  await mkdir(dataDir, { recursive: true })
  const { status, stderr } = spawnSync('cp', ['-a', primary.home, home], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the folder of the primary cannot be copied: ${stderr}`)
  const { port, password } = primary.access
  const folder = join(home, 'cluster')
  const settings = {
    primary_conninfo:
      `host=127.0.0.1 port=${port} user=postgres password=${password} ` +
      'application_name=standby',
    wal_retrieve_retry_interval: '200ms',
  }
  await appendFile(
    join(folder, 'postgresql.auto.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(''),
  )
  const { uid, gid } = await stat(folder)
  await writeFile(join(folder, 'standby.signal'), '')
  await chown(join(folder, 'standby.signal'), uid, gid)
  return openCluster({ dataDir, port: await findFreePort() })
}

/** From then on a commit is answered only once the standby has it too. */
async function untilFollowed(url: string): Promise<void> {
  let sql: Sql | undefined
  const opens = async () =>
    (sql ??= await openDatabase(url, { poolSize: 1 }).catch(() => undefined)) !== undefined
  await until(opens, { timeoutMs: READY_TIMEOUT_MS, complaint: () => 'the primary does not start' })
  const primary = sql as Sql
  const follows = async () =>
    (
      await primary`select from pg_stat_replication where application_name = 'standby'
        and state = 'streaming'`
    ).length > 0
  await until(follows, {
    timeoutMs: READY_TIMEOUT_MS,
    complaint: () => 'the standby does not follow',
  })
  await primary.unsafe(`alter system set synchronous_standby_names = 'standby'`)
  await primary`select pg_reload_conf()`
  await primary.end()
}
