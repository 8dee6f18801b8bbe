import { part, type Fragment, type Queries } from '#server/db/statement.ts'

/** A table of the market as a part of a statement on users' rows, to be named there. */
export type MarketRows = Fragment

/**
 * The last price of each pair. A distributed database has the market on its coordinator alone,
 * where it is written every hour, and users' rows elsewhere: statements on these take its rows
 * along.
 */
export async function lastPrices(sql: Queries): Promise<MarketRows> {
  if (!sql.isDistributed) return part`market_tickers`
  const rows = await sql<{ pair: string; price: bigint }[]>`select pair, price from market_tickers`
  return part`(select * from unnest(${rows.map(({ pair }) => pair)}::text[], ${rows.map(({ price }) => String(price))}::text[]::bigint[]) as last (pair, price))`
}

/** The exposure that each strategy wants on each pair, likewise. */
export async function lastExposures(sql: Queries): Promise<MarketRows> {
  if (!sql.isDistributed) return part`strategy_exposures`
  const rows = await sql<
    { pair: string; strategy: string; exposureBps: number; reason: string }[]
  >`select pair, strategy, exposure_bps, reason from strategy_exposures`
  return part`(select *
    from unnest(${rows.map(({ pair }) => pair)}::text[],
    ${rows.map(({ strategy }) => strategy)}::text[],
                                    ${rows.map(({ exposureBps }) => String(exposureBps))}::text[]::integer[], ${rows.map(({ reason }) => reason)}::text[])
                 as wanted (pair, strategy, exposure_bps, reason))`
}
