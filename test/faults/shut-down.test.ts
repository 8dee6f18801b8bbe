import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { atOneMoment } from '#server/db/atomically.ts'
import { openSession } from '#server/db/session.ts'
import { recompute } from '#server/ledger/reconcile.ts'
import { copyProject } from '../process/project-copy.ts'
import {
  launch,
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { clientOf, signUp } from './client.ts'
import { createTestDatabase } from '../world/database.ts'
import { cleanUp, NOBODY, processesOf, signalAll, until } from './processes.ts'

const PATIENCE_MS = 60_000
/** Longer than an engine's pulse. */
const PULSE_MS = 1_500

afterEach(cleanUp)

async function health(url: string): Promise<{ marketTime: string; unfinishedBlocks: number }> {
  return (await fetch(`${url}/health`)).json() as Promise<{
    marketTime: string
    unfinishedBlocks: number
  }>
}

async function reconciled(server: RunningServer): Promise<unknown[]> {
  const sql = await server.database()
  try {
    return await atOneMoment(sql, recompute)
  } finally {
    await sql.end()
  }
}

/** Returns once the server's engine leads and has had time for another pulse. */
async function leadsAndLooks(server: RunningServer): Promise<void> {
  const sql = await server.database()
  const leads = async () =>
    (await sql`select from pg_locks where locktype = 'advisory' and granted`).length > 0
  await until(leads, { timeoutMs: PATIENCE_MS, complaint: server.output })
  await sql.end()
  await delay(PULSE_MS)
}

test('a second start finds users, bots, the session and the market unchanged', async () => {
  const first = await startServer()
  const ada = await signUp(first.url)
  await ada.deposit('1000')
  const body = {
    name: 'First',
    riskLevel: 'aggressive',
    tradingPairs: ['BTC/USDT'],
    investmentAmount: '600',
  }
  const bot = await ada.call('createBot', { body })
  const user = await ada.call('getUser')
  const sql = await first.database()
  const follows = async () => (await sql`select from sleeves where status = 'in'`).length === 1
  await until(follows, { timeoutMs: PATIENCE_MS, complaint: first.output })
  await sql.end()
  const before = await health(first.url)
  expect(await first.stop()).toBe(0)
  expect(processesOf(first.dataDir), 'no process is left').toEqual([])

  const second = await startServer({ dataDir: first.dataDir, env: { MARKET_SPEED: '0' } })
  const again = clientOf(second.url, ada.cookie)
  expect(await again.call('getUser')).toMatchObject({
    id: user.id,
    availableBalance: user.availableBalance,
  })
  expect(await again.call('listBots')).toMatchObject([
    { id: bot.id, name: 'First', status: 'active' },
  ])
  const after = await health(second.url)
  const passedMs = Date.parse(after.marketTime) - Date.parse(before.marketTime)
  expect(passedMs, 'the clock stood still while nothing ran').toBeGreaterThanOrEqual(0)
  expect(passedMs).toBeLessThan(24 * 3_600_000)
  await leadsAndLooks(second)
  expect((await health(second.url)).marketTime).toBe(after.marketTime)
  expect(await reconciled(second)).toEqual([])
  expect(await second.stop()).toBe(0)
  await removeDataDir(first.dataDir)
})

/** Locks the user's cash, and returns a function that releases it. */
async function holdCash(server: RunningServer): Promise<() => Promise<void>> {
  const sql = await server.database()
  const { sql: connection, end } = openSession(sql, 'a session that holds the cash')
  await connection`begin`
  await connection`select from ledger_accounts where code = 'customer:cash' for update`
  return async () => {
    await connection`commit`
    await end()
    await sql.end()
  }
}

async function waitsForCash(server: RunningServer): Promise<boolean> {
  const sql = await server.database()
  const rows = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
      and application_name = 'trading-bot'`
  await sql.end()
  return rows.length > 0
}

const STOPS = [
  ['SIGTERM', undefined],
  ['SIGINT', undefined],
  ...(NOBODY === undefined ? [] : [['SIGTERM', NOBODY] as const]),
] as const

test.each(STOPS)(
  '%s (user %s) under load finishes requests, refuses new ones, leaves nothing behind',
  async (signal, userId) => {
    const dataDir = await makeDataDir()
    if (userId !== undefined) await chown(join(dataDir, '..'), userId, userId)
    const server = await startServer({ dataDir, userId, env: { MARKET_SPEED: '20000' } })
    const ada = await signUp(server.url)
    await ada.deposit('5000')
    const stream = await fetch(`${server.url}/api/events`, { headers: { cookie: ada.cookie } })
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1').on(
      'error',
      () => undefined,
    )
    const release = await holdCash(server)
    const body = {
      name: 'Under way',
      riskLevel: 'moderate',
      tradingPairs: ['ETH/USDT'],
      investmentAmount: '100',
    }
    const underWay = ada.ask('createBot', { body, key: 'under-way' })
    await until(() => waitsForCash(server), {
      timeoutMs: PATIENCE_MS,
      complaint: () => `the bot waits for the cash: ${server.output()}`,
    })
    server.process.kill(signal)
    const late = await ada.ask('getUser')
    await release()
    expect(await underWay).toMatchObject({ kind: 'answered', status: 201 })
    expect([200, 503], 'requested while the signal was being delivered').toContain(
      late.kind === 'answered' ? late.status : 503,
    )
    expect(await server.ended).toBe(0)
    expect(server.errors()).toBe('')
    expect(processesOf(dataDir), 'no process is left').toEqual([])
    await stream.text()
    silent.destroy()

    const again = await startServer({ dataDir, userId })
    expect(await clientOf(again.url, ada.cookie).call('listBots')).toMatchObject([
      { name: 'Under way' },
    ])
    expect(await reconciled(again)).toEqual([])
    expect(await again.stop()).toBe(0)
    await removeDataDir(dataDir)
  },
)

const isThere = (pattern: RegExp) => (dataDir: string) =>
  existsSync(dataDir) && readdirSync(dataDir).some((name) => pattern.test(name))

test.each([
  ['its folder appears', existsSync],
  ['the database is being made', isThere(/^postgres\.new-/)],
  [
    'the database starts',
    (dataDir: string) => existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid')),
  ],
  [
    'the database runs',
    (dataDir: string) => existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.opts')),
  ],
])(
  'SIGTERM during a start, when %s, leaves nothing behind and damages nothing',
  async (_when, hasCome) => {
    const dataDir = await makeDataDir()
    const server = launch({ env: { PORT: '0', DATA_DIR: dataDir } })
    await until(() => hasCome(dataDir), { timeoutMs: PATIENCE_MS, complaint: server.output })
    server.process.kill('SIGTERM')
    const ended = await server.ended
    // Compared together, so that a failure shows its output.
    expect([ended, server.errors()]).toEqual([0, ''])
    expect(processesOf(dataDir), 'no process is left').toEqual([])
    const again = await startServer({ dataDir })
    expect(await again.stop()).toBe(0)
    await removeDataDir(dataDir)
  },
)

test('SIGTERM while the app is being built ends the build too', async () => {
  const [root, dataDir] = await Promise.all([copyProject(), makeDataDir()])
  const server = launch({
    program: [join(root, 'src/server/main.ts')],
    env: { PORT: '0', DATA_DIR: dataDir },
  })
  const isBuilding = () => processesOf(dataDir).some((line) => line.includes('vite'))
  await until(isBuilding, { timeoutMs: PATIENCE_MS, complaint: server.output })
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(server.errors()).toBe('')
  expect(processesOf(dataDir), 'no process is left').toEqual([])
  expect(filesOf(join(root, 'dist')), 'nor half an app').toEqual([])
  await Promise.all([rm(root, { recursive: true }), removeDataDir(dataDir)])
})

const filesOf = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends the server and the browser of the tests in other browsers, and removes their folders',
  async (signal) => {
    const [folder, database] = await Promise.all([
      mkdtemp(join(tmpdir(), 'browsers-')),
      createTestDatabase(),
    ])
    // A browser that never reports its port.
    await writeFile(
      join(folder, 'firefox-esr'),
      `#!${process.execPath}\nsetInterval(() => undefined, 1_000)\n`,
      { mode: 0o755 },
    )
    const dataDir = () =>
      join(
        folder,
        readdirSync(folder).find((name) => name.startsWith('trading-bot-')) ?? 'none',
        'data',
      )
    const found: string[] = []
    const env = { TMPDIR: folder, PATH: folder, DATABASE_URL: database.url }
    const run = launch({ program: ['test/browsers/main.ts', 'firefox'], env })
    try {
      await until(() => processesOf(folder).length > 0, {
        timeoutMs: PATIENCE_MS,
        complaint: run.output,
      })
      found.push(...processesOf(folder), ...processesOf(dataDir()))
      expect(found, 'the browser and the server').toHaveLength(2)
      run.process.kill(signal)
      expect([await run.ended, run.errors()]).toEqual([128 + constants.signals[signal], ''])
      expect(
        found.filter((line) => existsSync(`/proc/${Number.parseInt(line, 10)}`)),
        'no process is left',
      ).toEqual([])
      expect(readdirSync(folder)).toEqual(['firefox-esr'])
    } finally {
      signalAll(
        found.map((line) => Number.parseInt(line, 10)),
        'SIGKILL',
      )
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
