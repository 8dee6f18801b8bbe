import { pino } from 'pino'
import { assert, required } from '#core/assert.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { readBots } from '#server/bots/list-bots.ts'
import { readConfig } from '#server/settings/config.ts'
import type { Sql } from '#server/db/open.ts'
import { readBalances } from '#server/holdings/balances.ts'
import { readTrades } from '#server/holdings/derived-trades.ts'
import { CSV_STYLES } from '#core/csv-cell.ts'
import { openContext } from '#server/open-context.ts'
import { openEngine } from '#server/trading/engine.ts'
import { readTransactions } from '#server/transactions/list-transactions.ts'
import { tradesCsv } from '#server/transactions/trades-csv.ts'
import { populate, withDatabase } from './database.ts'
import { median, milliseconds, report, seconds, timeOf } from './report.ts'
import { sawFeed } from './saw-feed.ts'

/**
 * Time of a user's reads with 100 bots on 12 pairs each, among ten million other sleeves: balances,
 * bots, history and the export of a year in which every pool traded 60 times, and the history of
 * five such years.
 */

const OTHERS = Number(process.env['BENCH_SLEEVES'] ?? 10_000_000)
/** Strategies whose pools trade at every turn of the market. */
const TREND_KEYS = STRATEGY_KEYS.filter((key) => key.startsWith('trend'))
const BOTS = 100
const TRADES_A_YEAR = 60
const YEARS = 5
const ROUNDS = 30

export async function run(): Promise<void> {
  await withDatabase(async (book) => {
    const { sql } = book
    const others = Math.round(OTHERS / PAIRS.length)
    await populate(sql, {
      users: Math.ceil(others / 10),
      bots: others,
      pairs: PAIRS,
      strategies: TREND_KEYS,
      pairsEach: PAIRS.length,
    })
    await populate(sql, {
      users: 1,
      bots: BOTS,
      pairs: PAIRS,
      strategies: TREND_KEYS,
      pairsEach: PAIRS.length,
      newcomers: 'reader',
    })
    const config = readConfig({ SESSION_SECRET: 'x'.repeat(32), MARKET_FEED: 'simulated' })
    const context = openContext({
      ...book,
      config,
      log: pino({ level: 'warn' }),
      feed: sawFeed(TRADES_A_YEAR * YEARS),
    })
    const engine = await openEngine(context)
    const tradeYear = () => engine.advanceTo(engine.nowMs() + TRADES_A_YEAR * HOUR_MS)
    await engine.serve()
    await tradeYear()
    const userId = await readerOf(sql)
    await sql`vacuum analyze`
    await reportHome(sql, userId)
    await reportExport(sql, userId)
    for (let year = 1; year < YEARS; year += 1) await tradeYear()
    await sql`vacuum analyze pool_changes`
    await reportHistory(sql, userId)
    await reportReturns(sql, userId)
  })
}

async function readerOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ userId: string }[]>`
    select u.user_id from usernames u where username_key = 'reader0'
       and ${BOTS * PAIRS.length} = (select count(*) from sleeves s where s.user_id = u.user_id
           and units > 0)`
  return required(row, 'the reader is in all pools').userId
}

async function reportHome(sql: Sql, userId: string): Promise<void> {
  const sleeves = (BOTS * PAIRS.length).toLocaleString('en')
  const balances = await medianOf(() => readBalances(sql, userId))
  report({
    name: `home, balances of a user with ${sleeves} sleeves`,
    measured: milliseconds(balances),
    target: { text: '≤ 10 ms', met: balances <= 10 },
  })
  const bots = await medianOf(() => readBots(sql, userId))
  report({
    name: `home, the list of ${BOTS} bots`,
    measured: milliseconds(bots),
    target: { text: '≤ 10 ms', met: bots <= 10 },
  })
}

async function reportExport(sql: Sql, userId: string): Promise<void> {
  let rows = 0
  const ms = await medianOf(async () => {
    rows = -1
    for await (const lines of await tradesCsv(sql, { userId, style: CSV_STYLES.en }))
      rows += lines.split('\n').length - 1
  }, 3)
  assert(rows > BOTS * PAIRS.length * (TRADES_A_YEAR - 5), `a year has ${rows} rows`)
  report({
    name: `export of ${rows.toLocaleString('en')} trades`,
    measured: seconds(ms),
    target: { text: '≤ 2 s', met: ms <= 2_000 },
  })
}

async function reportHistory(sql: Sql, userId: string): Promise<void> {
  let cursor: string | undefined
  const page = async () => {
    const { items, nextCursor } = await readTransactions(sql, { userId, cursor })
    assert(items.length === 50, 'a full page')
    return nextCursor ?? undefined
  }
  const first = await medianOf(page)
  const name =
    'history, a page of 50 among ' +
    `${(BOTS * PAIRS.length * TRADES_A_YEAR * YEARS).toLocaleString('en')} derived trades`
  report({
    name: `${name}, the newest`,
    measured: milliseconds(first),
    target: { text: '≤ 20 ms', met: first <= 20 },
  })
  const [middle] = await sql<{ id: string }[]>`select id from pool_changes where kind = 'trade'
    order by id offset ${Math.round((PAIRS.length * 3 * TRADES_A_YEAR * YEARS) / 2)} limit 1`
  cursor = `${middle?.id}~${middle?.id}`
  const deep = await medianOf(page)
  report({
    name: `${name}, in the middle`,
    measured: milliseconds(deep),
    target: { text: '≤ 20 ms', met: deep <= 20 },
  })
  const [bot] = await sql<
    { id: string }[]
  >`select id from trading_bots where user_id = ${userId} limit 1`
  const filtered = {
    'of one bot': { bot: bot?.id ?? '' },
    'of one coin, by search': { q: 'sold btc' },
  }
  for (const [which, filters] of Object.entries(filtered)) {
    const ms = await medianOf(() => readTransactions(sql, { userId, ...filters }))
    report({
      name: `history, the newest rows ${which}`,
      measured: milliseconds(ms),
      target: { text: '≤ 20 ms', met: ms <= 20 },
    })
  }
  const whole = await medianOf(() => readTrades(sql, { userId, botId: bot?.id ?? '' }), 5)
  report({
    name: `all trades of one bot in five years, each with its realized profit`,
    measured: milliseconds(whole),
  })
}

const RETURNS = 10_000

/**
 * Each amount returned from a bot has fractions of a cent, so that its row depends on all earlier
 * rows.
 */
async function reportReturns(sql: Sql, userId: string): Promise<void> {
  await sql.begin('', async (tx) => {
    // Triggers are disabled, because no money backs these rows.
    await tx`set local session_replication_role = replica`
    await tx`
      with returned as (select uuidv7() as id, uuidv7() as transfer_id, no
           from generate_series(1, ${RETURNS}::integer) no),
           transfer as (insert into ledger_transfers (user_id, id, kind, dedup_key, body_hash,
           event_time)
                        select ${userId}, transfer_id, 'take-out', 'bench:' || no, '', now()
                          from returned)
      insert into transactions (user_id, id, type, amount, status, description, transfer_id)
      select ${userId}, id, 'transfer', 1234567890 + no, 'completed',
             '{"code": "repaid"}', transfer_id
        from returned`
  })
  await sql`vacuum analyze transactions, ledger_transfers`
  const ms = await medianOf(() => readTransactions(sql, { userId, type: 'transfer' }))
  const name =
    `history, a page of 50 among ${RETURNS.toLocaleString('en')} returns with fractions of a ` +
    'cent'
  report({ name, measured: milliseconds(ms), target: { text: '≤ 20 ms', met: ms <= 20 } })
}

async function medianOf(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  const times: number[] = []
  await work()
  for (let round = 0; round < rounds; round += 1) times.push(await timeOf(work))
  return median(times)
}
