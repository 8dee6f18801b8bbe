import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/problem.ts'
import type { RouteName } from '#contract/routes.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import { recompute } from '#server/ledger/reconcile.ts'
import {
  endLaunched,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { clientOf, signUp, type Asked, type Client } from './client.ts'
import { openEventStream } from './event-stream.ts'
import { startOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { cleanUp, postgresOf, signalAll, until } from './processes.ts'

const PATIENCE_MS = 60_000

/** Longer than all retries of a single call: recovery then proves continued attempts. */
const AWAY_MS = 8_000
const CRASHES = 3

let postgres: OwnPostgres | undefined
afterEach(async () => {
  postgres?.thaw()
  await endLaunched()
  await postgres?.remove()
  postgres = undefined
  await cleanUp()
})

const FAST = { MARKET_SPEED: '20000' }

const OUTAGES: [
  how: string,
  take: (from: OwnPostgres) => unknown,
  give: (back: OwnPostgres) => unknown,
][] = [
  ['is stopped', (from) => from.stop(), (back) => back.startAgain()],
  ['accepts connections and never answers', (from) => from.freeze(), (back) => back.thaw()],
]

test.each(OUTAGES)(
  'while a database %s, every call reports it, and everything recovers afterwards',
  async (_how, take, give) => {
    const own = (postgres = await startOwnPostgres())
    const server = await startServer({ env: { ...FAST, DATABASE_URL: own.url } })
    const ada = await signUp(server.url)
    await ada.deposit('1000')
    const stream = await openEventStream(server.url, ada.cookie)
    await hears(stream.heard, 'prices')
    const key = randomUUID()
    const create: Asked = {
      body: {
        name: 'Patient',
        riskLevel: 'aggressive',
        tradingPairs: ['BTC/USDT'],
        investmentAmount: '100',
      },
      key,
    }

    await take(own)
    const awaySinceMs = performance.now()
    await until(async () => (await health(server)).status === 503, {
      timeoutMs: PATIENCE_MS,
      complaint: server.output,
    })
    expect((await health(server)).body).toMatchObject({ alive: true, database: 'down' })
    const calls: [RouteName, Asked?][] = [
      ['getUser'],
      ['listBots'],
      ['listTransactions'],
      ['createBot', create],
      ['createPaymentIntent', { body: { amount: '10' } }],
    ]
    await Promise.all(calls.map(([name, asked]) => expectUnavailable(ada, name, asked)))
    await delay(Math.max(0, AWAY_MS - (performance.now() - awaySinceMs)))
    await give(own)

    await until(async () => (await health(server)).status === 200, {
      timeoutMs: PATIENCE_MS,
      complaint: server.output,
    })
    await goesOn(server)
    await ada.call('createBot', create)
    stream.heard.length = 0
    await ada.deposit('50')
    await hears(stream.heard, 'balance')
    await hears(stream.heard, 'prices')
    stream.close()
    expect(await ada.call('listBots')).toMatchObject([{ name: 'Patient' }])
    expect(await ada.call('getUser')).toMatchObject({ availableBalance: '950.00' })
    const sql = await own.sql()
    expect(await atOneMoment(sql, recompute)).toEqual([])
    await sql.end()
    expect(await server.stop()).toBe(0)
    await removeDataDir(server.dataDir)
  },
)

type Health = { status: number; body: { database?: string; marketTime?: string } }

async function health({ url }: RunningServer): Promise<Health> {
  const answer = await fetch(`${url}/health`)
  return { status: answer.status, body: (await answer.json()) as Health['body'] }
}

/** Calls get a response in the contract's format, and never hang. */
async function expectUnavailable(user: Client, name: RouteName, asked?: Asked): Promise<void> {
  // A database that never answers makes the answer late.
  const sayings = (
    ['temporarily-unavailable', asked ? 'still-under-way' : 'takes-long'] as const
  ).map((code) => ({
    kind: 'answered',
    status: 503,
    body: { code, message: PROBLEMS[code].message },
  }))
  expect(sayings, `${name}`).toContainEqual(await user.ask(name, asked))
}

async function hears(heard: readonly string[], name: string): Promise<void> {
  await until(() => heard.includes(name), {
    timeoutMs: PATIENCE_MS,
    complaint: () => `no ${name} among ${heard.join(' ')}`,
  })
}

/** Waits until the market's clock advances, which only a leading engine does. */
async function goesOn(server: RunningServer): Promise<void> {
  const { marketTime } = (await health(server)).body
  const moved = async () => {
    const { status, body } = await health(server)
    return status === 200 && body.marketTime !== marketTime
  }
  await until(moved, { timeoutMs: PATIENCE_MS, complaint: server.output })
}

test(`the embedded PostgreSQL killed ${CRASHES} times is restarted under its server`, async () => {
  const server = await startServer({ env: FAST })
  const ada = await signUp(server.url)
  const stream = await openEventStream(server.url, ada.cookie)
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    const before = postgresOf(server.dataDir)
    signalAll(before, 'SIGKILL')
    await until(() => postgresOf(server.dataDir).some((pid) => !before.includes(pid)), {
      timeoutMs: PATIENCE_MS,
      complaint: server.output,
    })
    await until(async () => (await health(server)).status === 200, {
      timeoutMs: PATIENCE_MS,
      complaint: server.output,
    })
    await goesOn(server)
    stream.heard.length = 0
    await ada.deposit('100')
    await hears(stream.heard, 'balance')
    expect(await ada.call('getUser')).toMatchObject({ availableBalance: `${crash}00.00` })
  }
  stream.close()
  const sql = await server.database()
  expect(await atOneMoment(sql, recompute)).toEqual([])
  await sql.end()
  expect(await server.stop()).toBe(0)
  await removeDataDir(server.dataDir)
})

test('PostgreSQL ends with its killed server; after a restart sessions still work', async () => {
  const first = await startServer({ env: FAST })
  const ada = await signUp(first.url)
  await ada.deposit('100')
  const [postmaster] = postgresOf(first.dataDir)
  first.process.kill('SIGKILL')
  await first.ended
  const second = await startServer({ dataDir: first.dataDir, env: FAST })
  expect(postgresOf(first.dataDir)[0]).not.toBe(postmaster)
  expect(await clientOf(second.url, ada.cookie).call('getUser')).toMatchObject({
    availableBalance: '100.00',
  })
  await goesOn(second)
  expect(await second.stop()).toBe(0)
  await removeDataDir(first.dataDir)
})
