import { pino } from 'pino'
import { assert } from '#core/assert.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { readConfig } from '#server/settings/config.ts'
import type { Context } from '#server/context.ts'
import type { OpenBook } from '#server/db/book.ts'
import type { Sql } from '#server/db/open.ts'
import { recompute } from '#server/ledger/reconcile.ts'
import { raiseEpoch } from '#server/market/clock.ts'
import { openContext } from '#server/open-context.ts'
import { openEngine } from '#server/trading/engine.ts'
import { planBlocks, type PairInput, type Phase } from '#server/trading/plan-blocks.ts'
import { returnMoney } from '#server/trading/return-money.ts'
import { runBlocks } from '#server/trading/run-blocks.ts'
import { moveSleeves } from '#server/trading/run-tick.ts'
import { populate, withDatabase } from './database.ts'
import { median, milliseconds, report, seconds, timeOf } from './report.ts'

/**
 * A crowd of bots joins one pool and leaves it, among ten million other sleeves. Measures adopting
 * the sleeves, planning, the lot from its order to its settlement, and the return of the money.
 */

const OTHERS = Number(process.env['BENCH_SLEEVES'] ?? 10_000_000)
const CROWD = Math.min(250_000, Math.round(OTHERS / 40))
const FEW = 100
const CLOSINGS = Math.min(100_000, CROWD)
const ROUNDS = 5
const PAIR: Pair = 'BTC/USDT'
const STRATEGY: StrategyKey = 'trend-aggressive'

/** The target exposure of the pool's strategy is always 50 %. */
const ASK = {
  pair: PAIR,
  price: 6_000_000_000_000n,
  wants: STRATEGY_KEYS.map((strategy) => ({
    strategy,
    cause: { kind: 'balanced', exposureBps: 5_000 },
  })),
} satisfies PairInput

type Bench = { context: Context; sql: Sql; epoch: bigint }
type Lot = { toldMs: number; plannedMs: number; lotMs: number }

export async function run(): Promise<void> {
  await withDatabase(async (book) => {
    const { sql } = book
    const bots = Math.round(OTHERS / PAIRS.length)
    await populate(sql, {
      users: Math.ceil(bots / 10),
      bots,
      pairs: PAIRS,
      strategies: STRATEGY_KEYS,
      pairsEach: PAIRS.length,
    })
    const bench = await openBench(book)
    const [joins, leaves]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      joins.push((await joinPool(bench, { bots: FEW, name: `few${round}` })).lotMs)
      leaves.push((await leavePool(bench, FEW)).lotMs)
      await returnMoney(bench.context, { epoch: bench.epoch, untilMs: Number.POSITIVE_INFINITY })
    }
    reportLot(`${FEW} joins`, median(joins), 20)
    reportLot(`${FEW} leaves`, median(leaves), 20)
    await reportCrowd(bench)
  })
}

async function openBench(book: OpenBook): Promise<Bench> {
  const config = readConfig({ SESSION_SECRET: 'x'.repeat(32), MARKET_FEED: 'simulated' })
  const context = openContext({ ...book, config, log: pino({ level: 'warn' }) })
  await openEngine(context)
  const bench = { context, sql: book.sql, epoch: (await raiseEpoch(book.sql)).leaderEpoch }
  await trade(bench, 'trade')
  return bench
}

async function reportCrowd(bench: Bench): Promise<void> {
  const crowd = CROWD.toLocaleString('en')
  const joined = await joinPool(bench, { bots: CROWD, name: 'crowd' })
  reportLot(`${crowd} joins`, joined.lotMs, 5_000)
  const left = await leavePool(bench, CROWD)
  reportLot(`${crowd} leaves`, left.lotMs, 5_000)
  for (const [name, lot] of [
    ['joins', joined],
    ['leaves', left],
  ] as const) {
    report({
      name: `adopting the sleeves of ${crowd} ${name}, and summing them`,
      measured: seconds(lot.toldMs),
      ratio: `planning ${milliseconds(lot.plannedMs)}`,
    })
  }
  const before = await countClosing(bench.sql)
  const paidMs = await timeOf(async () => {
    while (before - (await countClosing(bench.sql)) < CLOSINGS)
      await returnMoney(bench.context, { epoch: bench.epoch, untilMs: Date.now() + 500 })
  })
  const each = paidMs / (before - (await countClosing(bench.sql)))
  report({
    name: `${CLOSINGS.toLocaleString('en')} closings paid out`,
    measured: seconds(each * CLOSINGS),
    ratio: `${Math.round(1_000 / each).toLocaleString('en')} a second`,
    target: { text: '≤ 60 s', met: each * CLOSINGS <= 60_000 },
  })
  const differences = await recompute(bench.sql)
  assert(differences.length === 0, `the book is out of order: ${JSON.stringify(differences[0])}`)
}

function reportLot(who: string, ms: number, mostMs: number): void {
  const measured = mostMs < 1_000 ? milliseconds(ms) : seconds(ms)
  report({
    name: `lot of ${who} among ${OTHERS.toLocaleString('en')} sleeves`,
    measured,
    target: { text: `≤ ${mostMs} ms`, met: ms <= mostMs },
  })
}

async function joinPool(
  bench: Bench,
  { bots, name }: { bots: number; name: string },
): Promise<Lot> {
  await populate(bench.sql, {
    users: Math.ceil(bots / 10),
    bots,
    pairs: [PAIR],
    strategies: [STRATEGY],
    pairsEach: 1,
    newcomers: name,
  })
  return { toldMs: await tellSleeves(bench), ...(await trade(bench, 'join')) }
}

async function leavePool(bench: Bench, bots: number): Promise<Lot> {
  await bench.sql`update trading_bots set status = 'closing'
    where id in (select id from trading_bots where status = 'active' order by id desc
    limit ${bots})`
  await bench.sql`analyze trading_bots`
  await bench.sql`checkpoint`
  return { toldMs: await tellSleeves(bench), ...(await trade(bench, 'trade')) }
}

function tellSleeves({ context, epoch }: Bench): Promise<number> {
  return timeOf(() => moveSleeves(context, { marketTime: context.market.now(), epoch }))
}

async function trade({ context, epoch }: Bench, phase: Phase): Promise<Omit<Lot, 'toldMs'>> {
  let blocks: Awaited<ReturnType<typeof planBlocks>>['blocks'] = []
  const plannedMs = await timeOf(async () => {
    blocks = (
      await planBlocks(context, {
        phase,
        inputs: [ASK],
        marketTime: context.market.now(),
        epoch,
      })
    ).blocks
  })
  assert(blocks.length > 0, 'there is something to trade')
  return { plannedMs, lotMs: await timeOf(() => runBlocks(context, blocks, { epoch })) }
}

async function countClosing(sql: Sql): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`select count(*)::integer from trading_bots where status = 'closing'`
  return row?.count ?? 0
}
