import { pino } from 'pino'
import { assert } from '#core/assert.ts'
import { appendCandle, createSeries, type CandleSeries } from '#core/market/candle-series.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { readConfig } from '#server/config.ts'
import { openContext } from '#server/context.ts'
import type { Sql } from '#server/db/open.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { candlesBetween } from '#server/market/candles.ts'
import type { Feed } from '#server/market/feed.ts'
import { openEngine, type Engine } from '#server/trading/engine.ts'
import { populate, withDatabase } from './database.ts'
import { median, milliseconds, percentile, report, timeOf } from './report.ts'

/**
 * The engine's whole hour: twelve candles close at once, every strategy decides, blocks are planned, filled and shared among 10,000 bots.
 * On the worst market there is: each close turns every trend, so every bot trades on all of its pairs in every hour.
 */

const BOTS = 10_000
const BOTS_PER_USER = 10
const TICKS = 120
const WARM_UP_TICKS = 4
const BEGIN_MS = Date.UTC(2026, 0, 1)
const TARGET_MS = 500

export async function run(): Promise<void> {
  await reportTicks({ pairsEach: 1, feed: sawFeed(), name: 'every bot trades on its pair', target: true })
  await reportTicks({ pairsEach: 3, feed: sawFeed(), name: 'every bot trades on its 3 pairs', target: true })
  await reportTicks({ pairsEach: 3, name: 'the simulated market, 3 pairs each' })
}

/** Without a feed of its own it is the simulated market. */
type Setting = { pairsEach: number; feed?: Feed; name: string; target?: boolean }

async function reportTicks(setting: Setting): Promise<void> {
  const { ticksMs, fills } = await measure(setting)
  const p99 = percentile(ticksMs, 0.99)
  report({
    name: `tick, ${BOTS.toLocaleString('en')} bots, ${setting.name}, p99 of ${TICKS}`,
    measured: milliseconds(p99),
    ratio: `median ${milliseconds(median(ticksMs))}, ${Math.round(fills / TICKS).toLocaleString('en')} fills a tick`,
    ...(setting.target && { target: { text: `≤ ${TARGET_MS} ms`, met: p99 <= TARGET_MS } }),
  })
}

async function measure({ pairsEach, feed }: Setting): Promise<{ ticksMs: number[]; fills: number }> {
  return withDatabase(async (sql) => {
    await populate(sql, { users: BOTS / BOTS_PER_USER, bots: BOTS, pairs: PAIRS, riskLevels: RISK_LEVELS, pairsEach })
    const config = readConfig({ SESSION_SECRET: 'x'.repeat(32), MARKET_FEED: 'simulated' })
    const context = openContext({ config, sql, log: pino({ level: 'warn' }), ...(feed && { feed }) })
    const engine = await openEngine(context)
    for (let tick = 0; tick < WARM_UP_TICKS; tick += 1) await nextHour(engine)
    const before = await countFills(sql)
    const ticksMs: number[] = []
    for (let tick = 0; tick < TICKS; tick += 1) ticksMs.push(await timeOf(() => nextHour(engine)))
    const fills = (await countFills(sql)) - before
    if (feed) assert(fills === TICKS * BOTS * pairsEach, `every bot trades in every hour: ${fills} fills`)
    const differences = await reconcile(sql)
    assert(differences.length === 0, `the book is out of order: ${JSON.stringify(differences[0])}`)
    return { ticksMs, fills }
  })
}

const nextHour = (engine: Engine) => engine.advanceTo(engine.nowMs() + HOUR_MS)

async function countFills(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer from bot_trades`
  return row?.count ?? 0
}

/** Hour by hour a new high and a fall below every channel's midline. */
function sawFeed(): Feed {
  const series = sawCandles()
  return {
    kind: 'replay', label: 'Recorded market', identity: 'bench:saw', pairs: PAIRS, defaultSpeed: 3_600,
    beginMs: () => BEGIN_MS,
    endMs: undefined,
    candles: ({ fromMs, toMs }) => candlesBetween(series, { fromMs, toMs }),
  }
}

const PAST_HOURS = 5_000
const RISE = 1_000_000n
const FALL_PERCENT = 99n

function sawCandles(): CandleSeries {
  const count = PAST_HOURS + WARM_UP_TICKS + TICKS + 2
  const series = createSeries(count)
  let top = 6_000_000_000_000n
  let open = top
  for (let hour = 0; hour < count; hour += 1) {
    if (hour % 2 === 0) top += RISE
    const close = hour % 2 === 0 ? top : (top * FALL_PERCENT) / 100n
    const [low, high] = open < close ? [open, close] : [close, open]
    appendCandle(series, { openTimeMs: BEGIN_MS + (hour - PAST_HOURS) * HOUR_MS, open, high, low, close })
    open = close
  }
  return series
}

