import type { Candle } from '#core/market/candle.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Ticker } from '#core/market/ticker.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import type { Queries } from '#server/db/open.ts'

export type StoredTicker = Ticker & { marketTime: Date }
export type StoredExposure = { pair: Pair; riskLevel: RiskLevel; exposureBps: number; reason: string }
export type StoredClock = { feed: string; marketTime: Date; settledTime: Date; leaderEpoch: bigint }

export async function findTickers(sql: Queries): Promise<StoredTicker[]> {
  return sql<StoredTicker[]>`select pair, price, price_24h as "previousPrice24h", market_time from market_tickers`
}

export async function findClock(sql: Queries): Promise<StoredClock | undefined> {
  const [clock] = await sql<StoredClock[]>`select feed, market_time, settled_time, leader_epoch from market_clock`
  return clock
}

export type StoredCandle = Candle & { id: bigint; pair: Pair }

/** Keeps candles that nobody kept before, and answers how this book has each of them: whoever was first, stays. */
export async function keepCandles(sql: Queries, { pair, source, candles }: { pair: Pair; source: string; candles: readonly Candle[] }): Promise<StoredCandle[]> {
  const times = candles.map(({ openTimeMs }) => new Date(openTimeMs).toISOString())
  const column = (name: 'open' | 'high' | 'low' | 'close') => candles.map((candle) => candle[name].toString())
  await sql`
    insert into market_candles (pair, open_time, source, open, high, low, close)
    select ${pair}, open_time, ${source}, open, high, low, close
      from unnest(${times}::text[]::timestamptz[], ${column('open')}::bigint[], ${column('high')}::bigint[], ${column('low')}::bigint[],
                  ${column('close')}::bigint[]) as candle (open_time, open, high, low, close)
    on conflict on constraint market_candles_pkey do nothing`
  return sql<StoredCandle[]>`
    select id, pair, (extract(epoch from open_time) * 1000)::float8 as open_time_ms, open, high, low, close
      from market_candles where pair = ${pair} and open_time = any(${times}::text[]::timestamptz[]) order by open_time`
}

export async function findCandlesAfter(sql: Queries, id: bigint): Promise<StoredCandle[]> {
  return sql<StoredCandle[]>`
    select id, pair, (extract(epoch from open_time) * 1000)::float8 as open_time_ms, open, high, low, close
      from market_candles where id > ${id} order by pair, open_time`
}
