import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { accountFor } from '../test/faults/account-for.ts'
import { startLoad, type Load } from '../test/faults/load.ts'
import { until } from '../test/faults/processes.ts'
import { gapsIn, longestPause, readSettled, watchSettling } from '../test/faults/settled-hours.ts'
import { endLaunched, freePort, makeDataDir, removeDataDir, startServer, type RunningServer } from '../test/running-server.ts'
import { configurationOf, PASSWORDS, startHaproxy, type DatabaseCluster } from './failover-cluster.ts'

/** The product on two machines before one database: two webs, two engines and a process for jobs, and users who remember every answer. */
export type Product = {
  engines: readonly Member[]
  /** How many hours were settled under which lead is known to this pool. */
  sql: Sql
  load: Load
  proxies: readonly { restart: () => void }[]
  /** Waits until an engine has settled an hour and both webs have answered users since `momentMs`; returns the longest pauses since then. */
  goesOn: (momentMs: number) => Promise<Pauses>
  /** Differences between what users were answered and what is booked: throws at the first. */
  account: () => Promise<void>
  remove: () => Promise<void>
}

/** Between two settled hours, and between two answers of one web. */
export type Pauses = { settledMs: number; servedMs: number }

/** A process that is killed and started again on its port. */
type Member = { kill: () => Promise<void>; start: () => Promise<void> }

const USERS = 3
const LANES = 2 * USERS
/** The most requests that can be under way at a fault, so that one more was sent after it. */
const ANSWERS_UNDER_WAY = 3 * LANES
const PATIENCE_MS = 120_000
const MACHINES = 2
const LOOK_EVERY_MS = 50

const SETTINGS = {
  MARKET_SPEED: '36000', INTENTS_PER_HOUR: '1000000', SIGNUPS_PER_HOUR: '1000000', PAYOUT_DELAY_MS: '1500', WITHDRAWAL_HOLD_HOURS: '0', WITHDRAWAL_REVIEW_COUNT: '1000000',
}

export async function startProduct(cluster: DatabaseCluster, { direct, seed }: { direct: boolean; seed: number }): Promise<Product> {
  await createBook(cluster)
  const dataDir = await makeDataDir()
  const ports = await Promise.all(Array.from({ length: MACHINES }, () => freePort()))
  const proxies = await Promise.all(ports.map((port) => startHaproxy({ addresses: cluster.addresses, port })))
  const urlOf = (machine: number, role: 'app' | 'owner') => {
    const hosts = direct ? cluster.addresses.map((address) => `${address}:5432`).join(',') : `localhost:${ports[machine]}`
    return `postgres://trading_bot_${role}:${role}@${hosts}/trading_bot?sslmode=verify-full&sslrootcert=${cluster.authority}&target_session_attrs=read-write`
  }
  const settings = (machine: number, ROLES: string) => ({ ...SETTINGS, ROLES, DATABASE_URL: urlOf(machine, 'app'), DATABASE_OWNER_URL: urlOf(machine, 'owner') })
  const servers: RunningServer[] = []
  const member = async (machine: number, roles: string): Promise<Member> => {
    const [index, port] = [servers.length, await freePort()]
    const begin = () => startServer({ dataDir, port, env: settings(machine, roles) })
    servers[index] = await begin()
    return {
      kill: async () => {
        servers[index]?.process.kill('SIGKILL')
        await servers[index]?.ended
      },
      start: async () => {
        servers[index] = await begin()
      },
    }
  }
  const engines = [await member(0, 'engine')]
  const sql = await openDatabase(urlOf(0, 'owner'), { poolSize: 2, applicationName: 'bench' })
  await watchSettling(sql)
  engines.push(await member(1, 'engine'))
  await member(0, 'jobs')
  const webs = servers.length
  for (let machine = 0; machine < MACHINES; machine += 1) await member(machine, 'web')
  const ended = new AbortController()
  const urls = servers.slice(webs).map(({ url }) => url)
  const load = await startLoad({ urls, seed, users: USERS, pairs: ['BTC/USDT', 'ETH/USDT'] })
  return {
    engines,
    sql,
    load,
    proxies,
    goesOn: watch({ sql, load, urls, signal: ended.signal }),
    account: async () => {
      await load.settle()
      await accountFor(sql, load.journal)
      const gaps = gapsIn(await readSettled(sql))
      if (gaps.length > 0) throw new Error(`hours settled twice or left out: ${gaps.join('; ')}`)
      for (const server of servers) if (server.process.exitCode !== null) throw new Error(`a process ended: ${server.output()}`)
    },
    remove: async () => {
      ended.abort()
      load.abandon()
      await endLaunched()
      await sql.end({ timeout: 1 })
      for (const { remove } of proxies) await remove()
      await removeDataDir(dataDir)
    },
  }
}

/** As the document says: by its SQL, on the primary. */
async function createBook({ primary, authority }: DatabaseCluster): Promise<void> {
  const { SUPERUSER_PASSWORD, ...own } = PASSWORDS
  const statements = (await configurationOf('book.sql', own)).replaceAll(/^--.*$/gm, '').split(';').filter((statement) => statement.trim() !== '')
  const host = (await primary())?.address ?? ''
  const client = new pg.Client({ connectionString: `postgres://postgres:${SUPERUSER_PASSWORD}@${host}:5432/postgres?sslmode=verify-full&sslrootcert=${authority}` })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

type Watched = { sql: Sql; load: Load; urls: readonly string[]; signal: AbortSignal }

/** Calls each web all the time, for the longest time in which one answered nobody. */
function watch({ sql, load: { journal }, urls, signal }: Watched): (momentMs: number) => Promise<Pauses> {
  const healthy = urls.map(() => [Date.now()])
  urls.forEach(async (url, index) => {
    while (!signal.aborted) {
      const answer = await fetch(`${url}/health`).catch(() => undefined)
      if (answer?.ok) healthy[index]?.push(Date.now())
      await delay(LOOK_EVERY_MS)
    }
  })
  const pauseOf = (moments: readonly number[], momentMs: number) => Math.max(...moments.map((atMs, index) => (atMs > momentMs ? atMs - (moments[index - 1] ?? atMs) : 0)))
  return async (momentMs) => {
    const answers = journal.answers + ANSWERS_UNDER_WAY + 1
    const goesOn = async () => journal.answers >= answers && healthy.every((moments) => (moments.at(-1) ?? 0) > momentMs) && (await longestPause(sql, momentMs).catch(() => undefined)) !== undefined
    await until(goesOn, { timeoutMs: PATIENCE_MS, complaint: () => `${journal.answers} of ${answers} answers; the webs were healthy at ${healthy.map((moments) => moments.at(-1)).join(', ')}` })
    return { settledMs: (await longestPause(sql, momentMs)) ?? Number.NaN, servedMs: Math.max(...healthy.map((moments) => pauseOf(moments, momentMs))) }
  }
}
