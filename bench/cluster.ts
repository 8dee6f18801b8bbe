import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { assert, required } from '#core/assert.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import type { RouteName } from '#contract/routes.ts'
import { readConfig } from '#server/settings/config.ts'
import type { Context } from '#server/context.ts'
import { atomically, atOneMoment } from '#server/db/atomically.ts'
import { checkBook } from '#server/db/check-book.ts'
import { distribute } from '#server/db/distribution/distribute.ts'
import { examineNodes } from '#server/db/distribution/examine-nodes.ts'
import { planDistribution } from '#server/db/distribution/plan.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { recompute } from '#server/ledger/reconcile.ts'
import { raiseEpoch } from '#server/market/clock.ts'
import { openContext } from '#server/open-context.ts'
import { openEngine } from '#server/trading/engine.ts'
import { planBlocks, type PairInput, type Phase } from '#server/trading/plan-blocks.ts'
import { runBlocks } from '#server/trading/run-blocks.ts'
import { moveSleeves } from '#server/trading/run-tick.ts'
import { openWorld, SETTINGS, TEST_CARD, type TestUser, type World } from '../test/world/world.ts'
import { cpuOf, crash, nodeAt, withSql, type Node } from './cluster-nodes.ts'
import { populate } from './database.ts'
import { median, milliseconds, report, seconds, timeOf } from './report.ts'

/**
 * The product on a Citus cluster beside the same book on one PostgreSQL: a user's calls, an hour of
 * all pools, lots of 50,000, nodes that crash in the middle of lots, and a shard that moves while
 * users are busy. CLUSTER_NODES: the addresses of the coordinator, the workers and, last, a node
 * that joins at the end; CLUSTER_PLAIN: that of a PostgreSQL of the same version. All servers must
 * be on this machine and need no password. The costs of a cluster are printed, without a limit.
 */

const LOT = Number(process.env['BENCH_LOT'] ?? 50_000)
const ROUNDS = 3
const VISITORS = 12
const TICKS = 120
const WARM_UP_TICKS = 6
const CRASHES = 12
const CRASH_LOT = 8_000
const CRASH_PAIRS = PAIRS.slice(ROUNDS)
const SHARDS = 8
const NAME = 'bench_cluster'

/** One of the two databases, with its servers. */
type Side = { name: string; sql: Sql; nodes: Node[] }

type Times = Map<string, number[]>

export async function run(): Promise<void> {
  const urls = (process.env['CLUSTER_NODES'] ?? '').split(',').filter((url) => url !== '')
  const plainUrl = process.env['CLUSTER_PLAIN']
  if (urls.length < 4 || plainUrl === undefined) {
    console.log(
      'cluster: not measured here. Set CLUSTER_NODES to the addresses of a coordinator, two ' +
        'workers and a node to join, and CLUSTER_PLAIN to that of a PostgreSQL beside them.',
    )
    return
  }
  const [plainNode, ...nodes] = await Promise.all([plainUrl, ...urls].map(nodeAt))
  const joining = required(nodes.pop(), 'a node joins')
  const plain = {
    name: 'plain',
    nodes: [required(plainNode, 'a plain server')],
    sql: await openBook(await createOn(plainUrl)),
  }
  const cluster = { name: 'Citus', nodes, sql: await openCluster(nodes, joining) }
  await reportLots(plain, cluster)
  await reportCrashes(cluster)
  await reportCalls(plain, cluster)
  await reportTicks(plain, cluster)
  await reportMove(cluster, joining)
  for (const { name, sql } of [plain, cluster]) {
    const differences = await reconcileOn(sql)
    assert(
      differences.length === 0,
      `the book on ${name} is out of order: ${JSON.stringify(differences[0])}`,
    )
    await sql.end()
  }
  report({
    name: 'reconcile, both books',
    measured: 'no difference',
    target: { text: 'none', met: true },
  })
}

async function createOn(url: string): Promise<string> {
  await withSql(url, async (sql) => {
    // Each node gets its own database, created without the help of Citus.
    await sql.unsafe('set citus.enable_create_database_propagation = off')
    await sql`drop database if exists ${sql(NAME)} with (force)`
    await sql`create database ${sql(NAME)}`
  })
  const made = new URL(url)
  made.pathname = `/${NAME}`
  return made.href
}

/** Users with bots in every pool, and crowds that the engine has not seen yet, one for each lot. */
async function openBook(url: string): Promise<Sql> {
  const sql = await openDatabase(url)
  await migrate(sql)
  await checkBook(sql, BOOK)
  await populate(sql, {
    users: 1_000,
    bots: 1_000,
    pairs: PAIRS,
    strategies: STRATEGY_KEYS,
    pairsEach: 12,
  })
  for (const [round, pair] of PAIRS.slice(0, ROUNDS).entries())
    await addCrowd(sql, { pair, bots: LOT, name: `crowd${round}_` })
  for (const [round, pair] of CRASH_PAIRS.entries())
    await addCrowd(sql, { pair, bots: CRASH_LOT, name: `few${round}_` })
  return sql
}

const BOOK = { BOOK: 'paper', SESSION_SECRET: 'x'.repeat(32) } as const

function addCrowd(
  sql: Sql,
  { pair, bots, name }: { pair: Pair; bots: number; name: string },
): Promise<void> {
  return populate(sql, {
    users: Math.ceil(bots / 10),
    bots,
    pairs: [pair],
    strategies: [STRATEGY],
    pairsEach: 1,
    newcomers: name,
  })
}

async function openCluster(nodes: readonly Node[], joining: Node): Promise<Sql> {
  const [coordinator, ...workers] = nodes
  assert(coordinator, 'a cluster has a coordinator')
  const urls = []
  for (const { url } of [...nodes, joining]) urls.push(await createOn(url))
  for (const url of urls) await withSql(url, (sql) => sql`create extension citus`)
  const url = required(urls[0], 'the coordinator’s')
  await withSql(url, async (sql) => {
    const { hostname, port } = new URL(url)
    await sql`select citus_set_coordinator_host(${hostname}, ${Number(port)})`
    for (const worker of workers) await addNode(sql, worker)
  })
  const book = await openBook(url)
  const complaints = await examineNodes(book)
  assert(complaints.length === 0, complaints.join(' '))
  const ms = await timeOf(async () =>
    book.begin('', async (tx) => distribute(tx, await planDistribution(tx, { shards: SHARDS }))),
  )
  report({
    name:
      `distributing a book of ${(ROUNDS * LOT).toLocaleString('en')} bots over ` +
      `${workers.length} workers`,
    measured: seconds(ms),
  })
  await book.end()
  const sql = await openDatabase(url)
  await checkBook(sql, BOOK)
  return sql
}

async function addNode(sql: Sql, { url }: Node): Promise<void> {
  const { hostname, port } = new URL(url)
  await sql`select citus_add_node(${hostname}, ${Number(port)})`
}

async function contextOn(sql: Sql): Promise<Context> {
  const config = readConfig({ ...SETTINGS, MARKET_FEED: 'simulated' })
  return openContext({ ...(await checkBook(sql, BOOK)), config, log: pino({ level: 'error' }) })
}

async function reportCalls(plain: Side, cluster: Side): Promise<void> {
  const [before, after] = [await callTimes(plain), await callTimes(cluster)]
  for (const [name, times] of after) {
    const [alone, here] = [median(before.get(name) ?? []), median(times)]
    report({
      name: `cluster, ${name}`,
      measured: milliseconds(here),
      ratio: `${(here / alone).toFixed(2)} × plain, ${milliseconds(alone)}`,
    })
  }
}

async function callTimes({ sql }: Side): Promise<Times> {
  const world = await openWorld(await contextOn(sql), () => Promise.resolve())
  const times: Times = new Map()
  await world.hours(3)
  // The lots have left old rows and statistics on both sides.
  await sql`vacuum analyze`
  for (let visitor = 0; visitor < VISITORS; visitor += 1) await visit(world, times, visitor)
  await world.app.close()
  return times
}

/** One user from sign-up to withdrawal, with the resulting work of engine and jobs. */
async function visit(world: World, times: Times, visitor: number): Promise<void> {
  const clock = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    let result: Result | undefined
    const ms = await timeOf(async () => (result = await work()))
    times.set(name, [...(times.get(name) ?? []), ms])
    return result as Result
  }
  const user = await clock('signup', () => world.user(`visitor${visitor}`))
  const call: TestUser['call'] = (name, request) => clock(name, () => user.call(name, request))
  const { clientSecret, paymentIntentId } = await call('createPaymentIntent', {
    body: { amount: '1000' },
  })
  await call('payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
  await call('confirmDeposit', { body: { paymentIntentId, amount: '1000' } })
  const bot = await call('createBot', {
    body: { name: 'Steady', riskLevel: 'moderate', tradingPairs: PAIRS, investmentAmount: '500' },
  })
  await clock('one bot joins its pools', () => world.serve())
  const bankAccountId = await user.addBankAccount()
  const reads: RouteName[] = [
    'getUser',
    'getPortfolio',
    'getBalanceCurve',
    'listBots',
    'listTransactions',
    'listBankAccounts',
    'getWithdrawalTerms',
    'listWithdrawals',
    'listSessions',
    'getPrices',
  ]
  for (const name of reads) await call(name)
  const { id } = bot
  await call('getBotPerformance', { params: { id } })
  await call('listBotTrades', { params: { id } })
  await call('simulateBot', { params: { id } })
  await call('updateBot', { params: { id }, body: { isActive: false } })
  await call('updateBot', { params: { id }, body: { isActive: true } })
  const { id: withdrawal } = await call('requestWithdrawal', {
    body: { amount: '100', bankAccountId },
  })
  await call('cancelWithdrawal', { params: { id: withdrawal } })
  await call('requestWithdrawal', { body: { amount: '50', bankAccountId } })
  await clock('jobs pay one withdrawal', () => world.payOut())
  await call('askHelp', { body: { message: 'what is my balance?' } })
  await call('deleteBot', { params: { id } })
  await clock('one bot leaves its pools', () => world.serve())
  await clock('the market advances by a second, no hour closes', () =>
    world.engine.advanceTo(world.engine.nowMs() + HOUR_MS / 60 / 60),
  )
  await call('logout')
}

/** CPU of the market's hours, the same on both sides. */
async function reportTicks(...sides: [Side, Side]): Promise<void> {
  const engines = []
  for (const side of sides) {
    const engine = await openEngine(await contextOn(side.sql))
    // Runs an hour as the engine's loop does.
    const nextHour = async () => {
      await engine.serve()
      await engine.advanceTo(engine.nowMs() + HOUR_MS)
    }
    for (let tick = 0; tick < WARM_UP_TICKS; tick += 1) await nextHour()
    engines.push({ ...side, nextHour, cpu: 0, ms: [] as number[] })
  }
  for (let tick = 0; tick < TICKS; tick += 1) {
    for (const side of engines) {
      const before = await cpuOf(side.nodes)
      side.ms.push(await timeOf(side.nextHour))
      side.cpu += (await cpuOf(side.nodes)) - before
    }
  }
  const [plain, cluster] = engines
  assert(plain && cluster, 'both are measured')
  const ratio = cluster.cpu / plain.cpu
  report({
    name: 'cluster, CPU of an hour of 84 pools',
    measured: milliseconds((cluster.cpu / TICKS) * 1_000),
    ratio:
      `${ratio.toFixed(2)} × plain, ${milliseconds((plain.cpu / TICKS) * 1_000)}; took ` +
      `${milliseconds(median(cluster.ms))} and ${milliseconds(median(plain.ms))}`,
  })
}

const STRATEGY: StrategyKey = 'trend-aggressive'
const inputOf = (pair: Pair): PairInput => ({
  pair,
  price: 100_000_000n,
  wants: STRATEGY_KEYS.map((strategy) => ({
    strategy,
    cause: { kind: 'balanced', exposureBps: 5_000 },
  })),
})

type Engine = { context: Context; epoch: bigint }
type Used = { cpu: number; ms: number }

async function openEngineOn({ sql }: Side): Promise<Engine> {
  const context = await contextOn(sql)
  await openEngine(context)
  return { context, epoch: (await raiseEpoch(sql)).leaderEpoch }
}

async function reportLots(plain: Side, cluster: Side): Promise<void> {
  const [before, after] = [await lotsOn(plain), await lotsOn(cluster)]
  for (const [name, used] of Object.entries(after)) {
    const [alone, here] = [before[name] ?? [], used].map((all) => ({
      cpu: median(all.map(({ cpu }) => cpu)),
      ms: median(all.map(({ ms }) => ms)),
    }))
    assert(alone && here, 'both are measured')
    const ratio = here.cpu / alone.cpu
    report({
      name: `cluster, ${name} of ${LOT.toLocaleString('en')}, CPU`,
      measured: `${here.cpu.toFixed(2)} s`,
      ratio:
        `${ratio.toFixed(2)} × plain, ${alone.cpu.toFixed(2)} s; took ${seconds(here.ms)} and ` +
        seconds(alone.ms),
    })
  }
}

async function lotsOn(side: Side): Promise<Record<string, Used[]>> {
  const engine = await openEngineOn(side)
  // A bot joins a pool without coins without an order, so each pool first buys coins.
  for (const pair of PAIRS) await planned(engine, 'trade', pair, async (run) => void (await run()))
  const used: Record<string, Used[]> = {
    'lot that joins': [],
    'lot that leaves': [],
    'adopting all crowds, lots': [await usedBy(side, () => adopt(engine))],
  }
  for (const pair of PAIRS.slice(0, ROUNDS)) {
    await planned(
      engine,
      'join',
      pair,
      async (run) => void used['lot that joins']?.push(await usedBy(side, run)),
    )
  }
  for (const pair of PAIRS.slice(0, ROUNDS)) {
    await close(engine, side, pair)
    await planned(
      engine,
      'trade',
      pair,
      async (run) => void used['lot that leaves']?.push(await usedBy(side, run)),
    )
  }
  return used
}

async function usedBy({ sql, nodes }: Side, work: () => Promise<unknown>): Promise<Used> {
  await sql`checkpoint`
  const before = await cpuOf(nodes)
  const ms = await timeOf(work)
  return { cpu: (await cpuOf(nodes)) - before, ms }
}

const adopt = ({ context, epoch }: Engine) =>
  moveSleeves(context, { marketTime: context.market.now(), epoch })

/** Closes the bots of the crowd on this pair. */
async function close(engine: Engine, { sql }: Side, pair: Pair): Promise<void> {
  await sql`update trading_bots set status = 'closing' where status = 'active'
    and trading_pairs = ${[pair]}`
  await adopt(engine)
}

async function planned(
  { context, epoch }: Engine,
  phase: Phase,
  pair: Pair,
  measure: (run: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const { blocks } = await planBlocks(context, {
    phase,
    inputs: [inputOf(pair)],
    marketTime: context.market.now(),
    epoch,
  })
  if (blocks.length > 0) await measure(() => runBlocks(context, blocks, { epoch }))
}

/**
 * Kills one node after the other in the middle of lots: first joining lots, on pairs without other
 * lots, then leaving lots. The transaction is retried, or a new engine resumes the block as after
 * any crash.
 */
async function reportCrashes(cluster: Side): Promise<void> {
  let broken = 0
  for (let round = 0; round < CRASHES; round += 1) {
    const engine = await openEngineOn(cluster)
    const isJoin = round < CRASH_PAIRS.length
    const pair = required(CRASH_PAIRS[round % CRASH_PAIRS.length], 'a pair')
    if (!isJoin) await close(engine, cluster, pair)
    const node = required(cluster.nodes[round % cluster.nodes.length], 'a node')
    await planned(engine, isJoin ? 'join' : 'trade', pair, async (run) => {
      const ended = run().then(
        () => 'settled',
        () => 'broken',
      )
      await delay(20 + ((round * 37) % 200))
      await crash(node)
      if ((await ended) === 'broken') broken += 1
    })
    await atomically(cluster.sql, (tx) => tx`select recover_prepared_transactions()`)
    await openEngineOn(cluster)
    const { count } = await cluster.sql`select from engine_blocks where state = 'planned'`
    assert(count === 0, 'the new engine has settled every block')
  }
  const differences = await reconcileOn(cluster.sql)
  assert(differences.length === 0, `a crash left a difference: ${JSON.stringify(differences[0])}`)
  const prepared = await preparedOn(cluster.nodes)
  report({
    name:
      `cluster, ${CRASHES} crashes of nodes in the middle of lots of ` +
      CRASH_LOT.toLocaleString('en'),
    measured: `${broken} lots broken off, all settled once, ${prepared} prepared transactions left`,
    target: { text: '0 left, reconcile empty', met: prepared === 0 },
  })
}

/** Reconciles as `reconcile` does, without the seals, which a test population lacks. */
const reconcileOn = (sql: Sql) => atOneMoment(sql, recompute)

async function preparedOn(nodes: readonly Node[]): Promise<number> {
  let count = 0
  for (const { url } of nodes)
    count += await withSql(url, async (sql) =>
      Number((await sql`select from pg_prepared_xacts`).count),
    )
  return count
}

async function reportMove(cluster: Side, joining: Node): Promise<void> {
  const world: World = await openWorld(await contextOn(cluster.sql), () => Promise.resolve())
  await addNode(cluster.sql, joining)
  await cluster.sql`select replicate_reference_tables('block_writes')`
  let calls = 0
  const move = { isOver: false }
  const busy = (async () => {
    for (let visitor = 1_000; !move.isOver; visitor += 1) {
      const times: Times = new Map()
      await visit(world, times, visitor)
      calls += [...times.values()].reduce((sum, { length }) => sum + length, 0)
    }
  })()
  const [shard] = await cluster.sql<{ id: bigint; host: string; port: number }[]>`
    select shardid as id, nodename as host, nodeport as port from citus_shards
     where table_name = 'users'::regclass limit 1`
  assert(shard, 'there are shards')
  const { hostname, port } = new URL(joining.url)
  const ms = await timeOf(
    () =>
      cluster.sql`select citus_move_shard_placement(${shard.id}, ${shard.host}, ${shard.port},
        ${hostname}, ${Number(port)}, 'block_writes')`,
  )
  move.isOver = true
  await busy
  await world.app.close()
  report({
    name: 'cluster, a shard group moved to a third node while users were busy',
    measured: seconds(ms),
    ratio: `${calls} calls meanwhile, none failed`,
  })
}
