import { pino } from 'pino'
import { assert } from '#core/assert.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { readConfig } from '#server/settings/config.ts'
import type { Sql } from '#server/db/open.ts'
import { recompute } from '#server/ledger/reconcile.ts'
import { openContext } from '#server/open-context.ts'
import { openEngine } from '#server/trading/engine.ts'
import { populate, withDatabase } from './database.ts'
import { median, milliseconds, percentile, report, timeOf } from './report.ts'
import { sawFeed } from './saw-feed.ts'
import { workOn } from './statements.ts'

/**
 * A whole hour of the engine: twelve candles close at once, every strategy decides, and the pools'
 * trades are planned, filled, settled and booked. On the worst possible market: each close reverses
 * every trend, so all 36 trend pools change in every hour, beside 48 hold and balanced pools. With
 * one and with ten million sleeves.
 */

const SLEEVES = [1_000_000, Number(process.env['BENCH_SLEEVES'] ?? 10_000_000)] as const
const SMALL = { bots: 10_000, pairsEach: 3 }
const TICKS = 120
const WARM_UP_TICKS = 4
const TARGET_MS = 250
const MOST_LOG_MB = 0.5
const MOST_GROWTH = 1.2

export async function run(): Promise<void> {
  await reportTicks('10,000 bots on 3 pairs each', SMALL)
  const [few, many] = [
    await reportTicks('1,000,000 sleeves', {
      bots: Math.round(SLEEVES[0] / PAIRS.length),
      pairsEach: PAIRS.length,
    }),
    await reportTicks(`${SLEEVES[1].toLocaleString('en')} sleeves`, {
      bots: Math.round(SLEEVES[1] / PAIRS.length),
      pairsEach: PAIRS.length,
    }),
  ]
  const growth = median(many.ticksMs) / median(few.ticksMs)
  report({
    name: 'tick, median among ten million sleeves ÷ among one million',
    measured: growth.toFixed(2),
    target: { text: `≤ ${MOST_GROWTH}`, met: growth <= MOST_GROWTH },
  })
}

type Setting = { bots: number; pairsEach: number }
type Measured = {
  ticksMs: number[]
  logMb: number[]
  changes: number
  rowsRead: number
  rowsWritten: number
}

async function reportTicks(name: string, setting: Setting): Promise<Measured> {
  const measured = await measure(setting)
  const { ticksMs, logMb, changes, rowsRead, rowsWritten } = measured
  const p99 = percentile(ticksMs, 0.99)
  report({
    name: `tick of 84 pools, ${name}, p99 of ${TICKS}`,
    measured: milliseconds(p99),
    ratio: `median ${milliseconds(median(ticksMs))}, ${Math.round(changes / TICKS)} changes a tick`,
    target: { text: `≤ ${TARGET_MS} ms`, met: p99 <= TARGET_MS },
  })
  const most = Math.max(...logMb)
  report({
    name: `tick of 84 pools, ${name}, log written at most`,
    measured: `${most.toFixed(2)} MB`,
    ratio: `median ${median(logMb).toFixed(2)} MB`,
    target: { text: `≤ ${MOST_LOG_MB} MB`, met: most <= MOST_LOG_MB },
  })
  report({
    name: `tick of 84 pools, ${name}, rows of sleeves that its statements read and wrote`,
    measured: `${rowsRead} and ${rowsWritten}`,
    target: { text: 'none', met: rowsRead === 0 && rowsWritten === 0 },
  })
  return measured
}

async function measure({ bots, pairsEach }: Setting): Promise<Measured> {
  return withDatabase(async (book) => {
    const { sql } = book
    await populate(sql, {
      users: Math.ceil(bots / 10),
      bots,
      pairs: PAIRS,
      strategies: STRATEGY_KEYS,
      pairsEach,
    })
    const config = readConfig({ SESSION_SECRET: 'x'.repeat(32), MARKET_FEED: 'simulated' })
    const context = openContext({
      ...book,
      config,
      log: pino({ level: 'warn' }),
      feed: sawFeed(WARM_UP_TICKS + TICKS),
    })
    const engine = await openEngine(context)
    const nextHour = () => engine.advanceTo(engine.nowMs() + HOUR_MS)
    for (let tick = 0; tick < WARM_UP_TICKS; tick += 1) await nextHour()
    const [ticksMs, logMb]: [number[], number[]] = [[], []]
    const before = await countChanges(sql)
    const work = await workOn(sql, 'sleeves', async () => {
      for (let tick = 0; tick < TICKS; tick += 1) {
        const logged = await logPosition(sql)
        ticksMs.push(await timeOf(nextHour))
        logMb.push(Number((await logPosition(sql)) - logged) / 1_000_000)
      }
    })
    const changes = (await countChanges(sql)) - before
    assert(
      changes >= TICKS * PAIRS.length * RISK_LEVELS.length,
      `every pool that follows trends trades in every hour: ${changes} changes`,
    )
    const differences = await recompute(sql)
    assert(differences.length === 0, `the book is out of order: ${JSON.stringify(differences[0])}`)
    return { ticksMs, logMb, changes, ...work }
  })
}

async function countChanges(sql: Sql): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`select count(*)::integer from pool_changes where kind = 'trade'`
  return row?.count ?? 0
}

async function logPosition(sql: Sql): Promise<bigint> {
  const [row] = await sql<
    { bytes: bigint }[]
  >`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint as bytes`
  return row?.bytes ?? 0n
}
