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
