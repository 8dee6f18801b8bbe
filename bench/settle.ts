import { pino } from 'pino'
import { assert } from '#core/assert.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { Units } from '#core/money/amount.ts'
import { readConfig } from '#server/config.ts'
import { openContext, type Context } from '#server/context.ts'
import type { Sql } from '#server/db/open.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { raiseEpoch, startClock, writeTickers } from '#server/market/clock.ts'
import { planBlocks } from '#server/trading/plan-blocks.ts'
import { runBlock } from '#server/trading/run-block.ts'
import { populate, withDatabase } from './database.ts'
import { median, report, seconds, timeOf } from './report.ts'

/**
 * One exposure change for many bots on one pair, from the strategy's word to the allocated block: sized, filled, shared, booked.
 * Held against a plain INSERT … SELECT of the same trade rows into an identically indexed table.
 */

const BOTS = Number(process.env['BENCH_BOTS'] ?? 1_000_000)
const BOTS_PER_USER = 10
const ROUNDS = 3
const PAIR = 'BTC/USDT'
const RISK_LEVEL = 'moderate'
const BUY_BPS = 6_000
const PRICES = { buy: decimalToUnits('60000'), sell: decimalToUnits('66000') }

export async function run(): Promise<void> {
  const half = await measure(BOTS / 2)
  const whole = await measure(BOTS)
  const bots = `${whole.bots.toLocaleString('en')} bots`
  const [buy, plain] = [median(whole.buysMs), median(whole.plainMs)]
  report({ name: `settle, ${bots} buy`, measured: seconds(buy), target: { text: '≤ 12 s', met: buy <= 12_000 } })
  report({
    name: 'settle ÷ plain insert of the same rows, identically indexed',
    measured: (buy / plain).toFixed(2),
    ratio: `plain insert ${seconds(plain)}`,
    target: { text: '≤ 3', met: buy <= 3 * plain },
  })
  const doubling = buy / median(half.buysMs)
  report({ name: 'settle, time(N) ÷ time(N/2)', measured: doubling.toFixed(2), target: { text: '≤ 2.2', met: doubling <= 2.2 } })
  report({ name: 'settle, memory of Node at most', measured: `${whole.rssMb} MB`, target: { text: '< 400 MB', met: whole.rssMb < 400 } })
  const sell = median(whole.sellsMs)
  report({ name: `settle, ${bots} sell everything, ${whole.fees.toLocaleString('en')} platform fees`, measured: seconds(sell) })
  report({ name: 'settle, share of position updates that touch no index', measured: `${whole.hotPercent} %` })
}

type Measured = {
  bots: number
  buysMs: number[]
  sellsMs: number[]
  plainMs: number[]
  /** Platform fees charged by one sale. */
  fees: number
  rssMb: number
  hotPercent: number
}

async function measure(bots: number): Promise<Measured> {
  return withDatabase(async (sql) => {
    await populate(sql, { users: bots / BOTS_PER_USER, bots, pairs: [PAIR], riskLevels: [RISK_LEVEL], pairsEach: 1 })
    const context = openContext({ config: readConfig({ SESSION_SECRET: 'x'.repeat(32) }), sql, log: pino({ level: 'warn' }) })
    await startClock(sql, { feed: context.feed.identity, at: new Date(0) })
    const lead = { epoch: (await raiseEpoch(sql)).leaderEpoch }
    await sql`create table plain_trades (like bot_trades including all)`
    const measured: Measured = { bots, buysMs: [], sellsMs: [], plainMs: [], fees: 0, rssMb: 0, hotPercent: 0 }
    const memory = watchMemory()
    for (let round = 0; round < ROUNDS; round += 1) {
      measured.buysMs.push(await settle(context, { ...lead, price: PRICES.buy, exposureBps: BUY_BPS, bots }))
      measured.plainMs.push(await copyTrades(sql, bots))
      measured.sellsMs.push(await settle(context, { ...lead, price: PRICES.sell, exposureBps: 0, bots }))
    }
    measured.rssMb = memory.stop()
    const differences = await reconcile(sql)
    assert(differences.length === 0, `the book is out of order: ${JSON.stringify(differences[0])}`)
    return { ...measured, ...(await countAfter(sql)) }
  })
}

type Settling = { epoch: bigint; price: Units; exposureBps: number; bots: number }

/** Milliseconds from the exposure change to the allocated block. */
async function settle(context: Context, { epoch, price, exposureBps, bots }: Settling): Promise<number> {
  const { sql } = context
  const marketTime = new Date(0)
  await writeTickers(sql, [{ pair: PAIR, price, previousPrice24h: price, marketTime }], marketTime)
  await sql`checkpoint`
  const wants = [{ riskLevel: RISK_LEVEL, exposureBps, reason: 'The bench wants it.' }] as const
  const ms = await timeOf(async () => {
    const { blocks } = await planBlocks(context, { kind: 'strategy', plans: [{ pair: PAIR, wants, price }], marketTime, epoch })
    for (const block of blocks) await runBlock(context, block, { epoch })
  })
  const [last] = await sql<{ state: string; bots: number }[]>`select state, bots from engine_blocks order by id desc limit 1`
  assert(last?.state === 'allocated' && last.bots === bots, 'every bot has its share')
  return ms
}

/** Milliseconds of the plain INSERT … SELECT of the last block's trades. */
async function copyTrades(sql: Sql, bots: number): Promise<number> {
  const [block] = await sql<{ id: string }[]>`select id from engine_blocks order by id desc limit 1`
  await sql`truncate plain_trades`
  await sql`checkpoint`
  return timeOf(async () => {
    const { count } = await sql`insert into plain_trades select * from bot_trades where block_id = ${block?.id ?? null}`
    assert(count === bots, 'the same rows')
  })
}

function watchMemory(): { stop: () => number } {
  let most = 0
  const look = () => (most = Math.max(most, process.memoryUsage.rss()))
  const timer = setInterval(look, 50)
  return {
    stop: () => {
      look()
      clearInterval(timer)
      return Math.round(most / 1_000_000)
    },
  }
}

async function countAfter(sql: Sql): Promise<Pick<Measured, 'fees' | 'hotPercent'>> {
  await sql`select pg_stat_force_next_flush()`
  const [counts] = await sql<{ fees: number; hotPercent: number }[]>`
    select ((select count(*) from platform_fees) / ${ROUNDS})::integer as fees,
           (select (100 * n_tup_hot_upd / greatest(n_tup_upd, 1))::integer from pg_stat_user_tables where relname = 'bot_positions') as hot_percent`
  assert(counts, 'counts are answered')
  return counts
}
