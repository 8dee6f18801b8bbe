import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Pair } from '#core/market/pair.ts'
import type { Sql } from '#server/db/open.ts'
import { lengthOf } from '../world/length.ts'
import { randomFrom, SEED, type Random } from '../world/random.ts'
import {
  freePort,
  makeDataDir,
  removeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { accountFor } from './account-for.ts'
import { startLoad, type Load } from './load.ts'
import { cleanUp, postgresOf, signalAll, until } from './processes.ts'
import { gapsIn, countSettled, readSettled, watchSettling } from './settled-hours.ts'

/** The processes that a cycle kills. Both at once simulates a power cut. */
type Victim = 'server' | 'postgres' | 'both'

const SERVER_KILLS = lengthOf({ usual: 8, full: 200 })
const POSTGRES_KILLS = lengthOf({ usual: 4, full: 50 })
const BOTH_AT_ONCE = lengthOf({ usual: 3, full: 8 })
const LEAST_INSIDE = lengthOf({ usual: 4, full: 10 })
/** Minimum share of the inspected kills at which a pool has lots. */
const LEAST_SHARE_WITH_LOTS = 0.5
const USERS = 3
const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT']
const PATIENCE_MS = 60_000

/** After this long, all statements of a stopped process are finished or wait for each other. */
const STILL_MS = 15
const MOST_AIMS = 40

let load: Load | undefined
afterEach(async () => {
  load?.abandon()
  await cleanUp()
})

/** `lots`: kills while sleeves were joining or leaving a pool, out of `looks` inspected kills. */
type Tally = {
  inside: number
  transactions: number
  lots: number
  looks: number
  runningAgainMs: number[]
}

test(`kills under load, of PostgreSQL too, lose and double nothing (seed ${SEED})`, async () => {
  const [dataDir, port] = [await makeDataDir(), await freePort()]
  const env = {
    MARKET_SPEED: '36000',
    INTENTS_PER_HOUR: '1000000',
    PAYOUT_DELAY_MS: '1500',
    WITHDRAWAL_HOLD_HOURS: '0',
    WITHDRAWAL_REVIEW_COUNT: '1000000',
    NODE_COMPILE_CACHE: join(dataDir, '..', 'compiled'),
  }
  const start = () => startServer({ dataDir, port, env })
  const random = randomFrom(SEED)
  const tally: Tally = { inside: 0, transactions: 0, lots: 0, looks: 0, runningAgainMs: [] }
  // Node keeps what it compiled only when it ends by itself.
  await (await start()).stop()
  let server = await start()
  await onDatabase(server, watchSettling)
  const running = await startLoad({ urls: [server.url], seed: SEED, users: USERS, pairs: PAIRS })
  load = running
  for (const [index, victim] of victims(random).entries()) {
    await underLoad(running, random)
    const kill = { victim, isFrozen: victim !== 'postgres' || index % 2 === 0, random }
    const { open, hasLots } = await killNow(server, kill)
    if (kill.isFrozen) tally.looks += 1
    if (hasLots) tally.lots += 1
    const atMs = performance.now()
    if (victim !== 'postgres') server = await start()
    const [againMs] = await Promise.all([runningAgain(server, atMs), running.settle()])
    tally.runningAgainMs.push(againMs)
    await onDatabase(server, (sql) => judge(sql, { load: running, open, tally }))
  }
  await stopAndCount(server, { load: running, tally })
  await removeDataDir(dataDir)
})

/** A mixture of `SERVER_KILLS` and `POSTGRES_KILLS`, in random order. */
function victims(random: Random): Victim[] {
  const counts = {
    server: SERVER_KILLS - BOTH_AT_ONCE,
    postgres: POSTGRES_KILLS - BOTH_AT_ONCE,
    both: BOTH_AT_ONCE,
  }
  const listed = Object.entries(counts).flatMap(([victim, count]) =>
    Array.from({ length: count }, () => ({
      victim: victim as Victim,
      at: random.below(1_000_000),
    })),
  )
  return listed.toSorted((a, b) => a.at - b.at).map(({ victim }) => victim)
}

async function underLoad(running: Load, random: Random): Promise<void> {
  const enough = running.journal.answers + 25 + random.below(50)
  running.run()
  await until(() => running.journal.answers >= enough, {
    timeoutMs: PATIENCE_MS,
    complaint: () => 'no request gets a response',
  })
}

type Kill = { victim: Victim; isFrozen: boolean; random: Random }

/**
 * The open transactions that had written something at the moment of the kill, and whether lots were
 * moving.
 */
type Interruption = { open: string[]; hasLots: boolean }

/**
 * Kills, and returns what was interrupted.
 *
 * The server is stopped first, so that it ends no transaction while we list the open ones: for
 * PostgreSQL, stopping and then killing is the same as killing at once. Every other kill of
 * PostgreSQL alone happens without inspection: commits may be in progress, and it does not count.
 */
async function killNow(
  server: RunningServer,
  { victim, isFrozen, random }: Kill,
): Promise<Interruption> {
  const { process: child, dataDir } = server
  const sql = await server.database()
  const interruption = isFrozen
    ? await stopInside(server, sql, random)
    : { open: [], hasLots: false }
  if (victim !== 'server') signalAll(postgresOf(dataDir), 'SIGKILL')
  if (victim !== 'postgres') child.kill('SIGKILL')
  child.kill('SIGCONT')
  await sql.end({ timeout: 0 })
  if (victim !== 'postgres') expect(await server.ended).toBe('SIGKILL')
  return interruption
}

/**
 * Stops the server at a moment with an open transaction or a moving lot, resuming and stopping it
 * again until then.
 */
async function stopInside(
  { process: child }: RunningServer,
  sql: Sql,
  random: Random,
): Promise<Interruption> {
  for (let aims = 1; ; aims += 1) {
    child.kill('SIGSTOP')
    await delay(STILL_MS)
    const rows = await sql<{ xid: string }[]>`
      select backend_xid::text as xid from pg_stat_activity where application_name = 'trading-bot'
         and backend_xid is not null`
    // Unsynced bots count: the lot that they join is being planned.
    const [lots] = await sql<{ areUnderWay: boolean }[]>`
      select exists (select from sleeves
             where status in ('joining', 'leaving', 'pausing', 'resuming'))
          or exists (select from trading_bots where not is_synced)
          or exists (select from engine_blocks where state = 'planned') as are_under_way`
    const interruption = { open: rows.map(({ xid }) => xid), hasLots: lots?.areUnderWay === true }
    if (
      (interruption.open.length > 0 && (interruption.hasLots || aims > MOST_AIMS / 2)) ||
      aims === MOST_AIMS
    )
      return interruption
    child.kill('SIGCONT')
    await delay(random.below(20))
  }
}

/**
 * Milliseconds from `sinceMs` until an engine has settled an hour again: decided for every bot and
 * traded.
 */
async function runningAgain(server: RunningServer, sinceMs: number): Promise<number> {
  const isHealthy = async () =>
    (await fetch(`${server.url}/health`).catch(() => undefined))?.status === 200
  await until(isHealthy, { timeoutMs: PATIENCE_MS, complaint: server.output })
  return onDatabase(server, async (sql) => {
    const before = await countSettled(sql)
    await until(async () => (await countSettled(sql)) > before, {
      timeoutMs: PATIENCE_MS,
      complaint: server.output,
    })
    return performance.now() - sinceMs
  })
}

/** The kill hit an open transaction if PostgreSQL reports that transaction as never committed. */
async function judge(
  sql: Sql,
  { load: { journal }, open, tally }: { load: Load; open: string[]; tally: Tally },
): Promise<void> {
  const fates = await sql<
    { fate: string }[]
  >`select pg_xact_status(xid::xid8) as fate from unnest(${open}::text[]) as xid`
  const broken = fates.filter(({ fate }) => fate === 'aborted').length
  tally.transactions += broken
  tally.inside += broken > 0 ? 1 : 0
  await accountFor(sql, journal)
  expect(gapsIn(await readSettled(sql))).toEqual([])
}

async function stopAndCount(
  server: RunningServer,
  { load: { journal }, tally }: { load: Load; tally: Tally },
): Promise<void> {
  const [counts] = await onDatabase(
    server,
    (sql) => sql<{ blocks: number; trades: number; hours: number }[]>`
    select (select count(*)::integer from engine_blocks) as blocks, (select count(*)::integer
           from pool_changes where quantity > 0) as trades,
           (select count(*)::integer from watch.settled_hours) as hours`,
  )
  expect(await server.stop()).toBe(0)
  expect(tally.inside, 'kills inside an open transaction').toBeGreaterThanOrEqual(LEAST_INSIDE)
  expect(tally.lots / tally.looks, 'kills with lots under way').toBeGreaterThanOrEqual(
    LEAST_SHARE_WITH_LOTS,
  )
  expect(counts?.trades).toBeGreaterThan(0)
  const sorted = tally.runningAgainMs.toSorted((a, b) => a - b).map(Math.round)
  const { deposits, bots, withdrawals, cancels, answers, refusals, askedAgain, replays } = journal
  console.info(
    `seed ${SEED}: ${tally.inside} kills inside an open transaction, ${tally.transactions} ` +
      `transactions broken off, ${tally.lots} of ${tally.looks} with lots under way; ` +
      (`bots running again after ${sorted[Math.floor(sorted.length / 2)]} ms (median), ` +
        `${sorted.at(-1)} ms at most; ${JSON.stringify(counts)}`),
    JSON.stringify({
      deposits: deposits.size,
      bots: bots.size,
      withdrawals: withdrawals.size,
      cancels: cancels.size,
      answers,
      refusals,
      askedAgain,
      replays,
    }),
  )
}

async function onDatabase<Result>(
  server: RunningServer,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const sql = await server.database()
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}
