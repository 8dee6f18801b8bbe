import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Sql } from '#server/db/open.ts'
import { recompute } from '#server/ledger/reconcile.ts'
import { lengthOf } from '../world/length.ts'
import {
  endLaunched,
  makeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { clientOf, signUp, type Asked, type Client } from './client.ts'
import { openEventStream } from './event-stream.ts'
import { startOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { cleanUp, until } from './processes.ts'
import { countSettled, gapsIn, readSettled, watchSettling } from './settled-hours.ts'

const ROUNDS = lengthOf({ usual: 6, full: 20 })
const TAKEOVERS = lengthOf({ usual: 2, full: 6 })
const PATIENCE_MS = 60_000

let postgres: OwnPostgres
let sql: Sql
let dataDir: string
/** The first leads the engine, the second follows: it was started later. */
let leader: RunningServer
let follower: RunningServer

beforeAll(async () => {
  ;[postgres, dataDir] = await Promise.all([startOwnPostgres(), makeDataDir()])
  sql = await postgres.sql()
  leader = await start()
  await watchSettling(sql)
  await settlesAgain(leader)
  follower = await start()
})

afterAll(async () => {
  await endLaunched()
  await sql.end()
  await postgres.remove()
  await cleanUp()
})

const start = (): Promise<RunningServer> =>
  startServer({
    dataDir,
    env: { DATABASE_URL: postgres.url, MARKET_SPEED: '100000', PAYOUT_DELAY_MS: '600000' },
  })

/** Waits until an engine has settled one more hour; returns how long that took. */
async function settlesAgain(server: RunningServer): Promise<number> {
  const before = await countSettled(sql)
  return until(async () => (await countSettled(sql)) > before, {
    timeoutMs: PATIENCE_MS,
    complaint: server.output,
  })
}

test('a browser connected to one process receives events of another process', async () => {
  const here = await signUp(leader.url)
  const stream = await openEventStream(follower.url, here.cookie)
  await until(() => stream.heard.includes('prices'), {
    timeoutMs: PATIENCE_MS,
    complaint: follower.output,
  })
  expect(stream.heard).not.toContain('balance')
  await here.deposit('250')
  const told = () => ['balance', 'transactions'].every((name) => stream.heard.includes(name))
  await until(told, { timeoutMs: PATIENCE_MS, complaint: () => `heard ${stream.heard.join(' ')}` })
  stream.close()
  expect(await clientOf(follower.url, here.cookie).call('getUser')).toMatchObject({
    availableBalance: '250.00',
  })
})

test(`one request sent to both processes at once runs once, ${ROUNDS} rounds`, async () => {
  const here = await signUp(leader.url)
  const there = clientOf(follower.url, here.cookie)
  await here.addBankAccount()
  await here.deposit('10000')
  for (let round = 0; round < ROUNDS; round += 1) {
    const paymentIntentId = await here.pay('10')
    expect(
      await bothAnswer([here, there], 'confirmDeposit', { body: { paymentIntentId } }),
    ).toHaveLength(1)
    const body = {
      name: `Round ${round}`,
      riskLevel: 'moderate',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '10',
    }
    expect(await bothAnswer([here, there], 'createBot', { body, key: randomUUID() })).toHaveLength(
      1,
    )
    const asked = { body: { amount: '10' }, key: randomUUID() }
    const [withdrawal] = await bothAnswer([here, there], 'requestWithdrawal', {
      ...asked,
      proof: await here.prove('requestWithdrawal', asked),
    })
    expect(
      await there.ask('requestWithdrawal', { ...asked, body: { amount: '11' } }),
    ).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } })
    const cancels = await Promise.all(
      [here, there].map((user) => user.ask('cancelWithdrawal', { id: withdrawal ?? '' })),
    )
    expect(cancels.map((ending) => ending.kind === 'answered' && ending.status).toSorted()).toEqual(
      [200, 409],
    )
  }
  const [counts] = await sql<{ bots: number; withdrawals: number; deposits: number }[]>`
    select (select count(*)::integer from trading_bots) as bots, (select count(*)::integer
           from withdrawal_requests) as withdrawals,
           (select count(*)::integer from ledger_transfers where kind = 'deposit'
           and user_id = u.user_id) as deposits
      from (select distinct user_id from trading_bots) u`
  expect(counts).toEqual({ bots: ROUNDS, withdrawals: ROUNDS, deposits: ROUNDS + 1 })
  expect(await atOneMoment(sql, recompute)).toEqual([])
})

/**
 * Calls both at once and fails unless both succeed; returns the distinct ids in their responses.
 */
async function bothAnswer(
  users: readonly Client[],
  name: 'confirmDeposit' | 'createBot' | 'requestWithdrawal',
  asked: Asked,
): Promise<string[]> {
  const answers = await Promise.all(users.map((user) => user.call(name, asked)))
  return [...new Set(answers.map((answer) => ('id' in answer ? answer.id : answer.transactionId)))]
}

test('the other process takes over from a killed leader, each hour settled once', async () => {
  const tookMs: number[] = []
  for (let takeover = 0; takeover < TAKEOVERS; takeover += 1) {
    leader.process.kill('SIGKILL')
    await leader.ended
    tookMs.push(Math.round(await settlesAgain(follower)))
    leader = follower
    follower = await start()
  }
  await settlesAgain(leader)
  expect(gapsIn(await readSettled(sql))).toEqual([])
  expect(await atOneMoment(sql, recompute)).toEqual([])
  console.info(`the other process settled the next hour after ${tookMs.join(', ')} ms`)
})

test('a leader that was suspended and lost its lead settles nothing when it resumes', async () => {
  await standStill(leader)
  await sql`
    select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted and database = (select oid from pg_database
           where datname = current_database())`
  await settlesAgain(follower)
  leader.process.kill('SIGCONT')
  await settlesAgain(follower)
  await settlesAgain(follower)
  expect(gapsIn(await readSettled(sql))).toEqual([])
  expect((await fetch(`${leader.url}/health`)).status).toBe(200)
  follower.process.kill('SIGKILL')
  await follower.ended
  await settlesAgain(leader)
  expect(gapsIn(await readSettled(sql))).toEqual([])
  expect(await atOneMoment(sql, recompute)).toEqual([])
  expect(await leader.stop()).toBe(0)
})

/**
 * Suspends the process while it has no open transaction, whose locks would last until PostgreSQL
 * ends it.
 */
async function standStill({ process: child }: RunningServer): Promise<void> {
  for (;;) {
    child.kill('SIGSTOP')
    await delay(20)
    const open = await sql`select from pg_stat_activity where application_name = 'trading-bot'
        and xact_start is not null and datname = current_database()`
    if (open.length === 0) return
    child.kill('SIGCONT')
    await delay(20)
  }
}
