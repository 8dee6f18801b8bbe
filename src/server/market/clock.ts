import type { Sentence } from '#core/sentences.ts'
import { assert } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Outlook } from '#core/strategy/next-change.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import { newRows } from '#server/db/rows.ts'
import type { Queries } from '#server/db/statement.ts'
import type { Feed } from '#server/ports/feed.ts'
import type { DatedTicker } from '#server/ports/market-view.ts'
import { StartupError } from '#server/kernel/errors.ts'
import type { OpenBook, BookWrite } from '#server/db/book.ts'

type StoredExposure = {
  pair: Pair
  strategy: StrategyKey
  exposureBps: number
  reason: Sentence
  outlook: Outlook | null
}
type StoredClock = {
  feed: string
  startTime: Date
  marketTime: Date
  settledTime: Date
  leaderEpoch: bigint
}

export async function findTickers(sql: Queries): Promise<DatedTicker[]> {
  return sql<
    DatedTicker[]
  >`select pair, price, price_24h as "previousPrice24h", market_time from market_tickers`
}

export async function findClock(sql: Queries): Promise<StoredClock | undefined> {
  const [clock] = await sql<
    StoredClock[]
  >`select feed, start_time, market_time, settled_time, leader_epoch from market_clock`
  return clock
}

/** Starts the clock of a new book. Throws `StartupError` if the clock runs on another market. */
export async function startClock(
  sql: Queries,
  { feed, at }: { feed: string; at: Date },
): Promise<StoredClock> {
  await sql`insert into market_clock (feed, start_time, market_time, settled_time)
    values (${feed}, ${at}, ${at}, ${at}) on conflict do nothing`
  const clock = await findClock(sql)
  assert(clock, 'the clock was just started')
  if (clock.feed === feed) return clock
  throw new StartupError(
    `This database follows the market ${clock.feed}, not ${feed}: bots cannot be moved to ` +
      'other prices.',
  )
}

/** Market time, consistent with prices read in the same transaction; undefined for a new book. */
export async function readMarketTime(sql: Queries): Promise<Date | undefined> {
  return (await findClock(sql))?.marketTime
}

/** The kind of market that the book runs on; undefined for a new book. */
export async function bookMarket(sql: Queries): Promise<Feed['kind'] | undefined> {
  const clock = await findClock(sql)
  return (['simulated', 'replay', 'live'] as const).find((kind) =>
    clock?.feed.startsWith(`${kind}:`),
  )
}

/**
 * Takes the lead. Any write of the previous leader is either committed before this statement, which
 * waits for it, or refused.
 */
export async function raiseEpoch(sql: Queries): Promise<StoredClock> {
  const [clock] = await sql<StoredClock[]>`
    update market_clock set leader_epoch = leader_epoch + 1 returning feed, start_time, market_time,
           settled_time, leader_epoch`
  assert(clock, 'the clock is started')
  return clock
}

/** Throws if another engine took the lead, and prevents that until the commit. */
async function holdLead(tx: Queries, epoch: bigint): Promise<void> {
  const rows = await tx`select from market_clock where leader_epoch = ${epoch} for share`
  assert(rows.length === 1, 'another engine has taken the lead')
}

/** Writes prices with their own times, and moves the clock to `at`. */
export async function writeTickers(
  tx: Queries,
  tickers: readonly DatedTicker[],
  at: Date,
): Promise<void> {
  await tx`
    insert into market_tickers ${newRows(tickers, {
      pair: 'text',
      price: 'bigint',
      price_24h: ['bigint', ({ previousPrice24h }) => previousPrice24h],
      market_time: 'timestamptz',
    })}
    on conflict on constraint market_tickers_pkey
    do update set price = excluded.price, price_24h = excluded.price_24h,
       market_time = excluded.market_time`
  await tx`update market_clock set market_time = ${at}, updated_at = clock_timestamp()`
}

export async function findExposures(
  sql: Queries,
  pair: Pair,
): Promise<(Omit<StoredExposure, 'outlook'> & { marketTime: Date })[]> {
  return sql<(Omit<StoredExposure, 'outlook'> & { marketTime: Date })[]>`
    select pair, strategy, exposure_bps, reason, market_time from strategy_exposures
     where pair = ${pair}`
}

/** The latest decision of a trend strategy on a pair; undefined before the first. */
export async function findOutlook(
  sql: Queries,
  { pair, strategy }: Pick<StoredExposure, 'pair' | 'strategy'>,
): Promise<{ exposureBps: number; outlook: Outlook } | undefined> {
  const [row] = await sql<{ exposureBps: number; outlook: Outlook }[]>`
    select exposure_bps, outlook from strategy_exposures
     where pair = ${pair} and strategy = ${strategy} and outlook is not null`
  return row
}

export async function writeExposures(
  tx: Queries,
  exposures: readonly StoredExposure[],
  at: Date,
): Promise<void> {
  await tx`
    insert into strategy_exposures ${newRows(exposures, {
      pair: 'text',
      strategy: 'text',
      exposure_bps: 'integer',
      reason: 'jsonb',
      outlook: 'jsonb',
      market_time: ['timestamptz', () => at],
    })}
    on conflict on constraint strategy_exposures_pkey
    do update set exposure_bps = excluded.exposure_bps, reason = excluded.reason,
       outlook = excluded.outlook, market_time = excluded.market_time`
}

/** Notes an hour as settled. The hour never goes back. */
export async function settleHour(tx: Queries, hour: Date): Promise<void> {
  await tx`update market_clock set settled_time = greatest(settled_time, ${hour})`
}

/** `atomically` for the engine that leads under `epoch`: throws if another one took over. */
export function asLeader<Result>(
  { atomically }: Pick<OpenBook, 'atomically'>,
  epoch: bigint,
  work: (tx: BookWrite) => Promise<Result>,
): Promise<Result> {
  return atomically(async (tx) => {
    await holdLead(tx.sql, epoch)
    return work(tx)
  })
}
