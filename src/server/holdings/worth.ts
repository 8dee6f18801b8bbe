import { part } from '#server/db/statement.ts'

/** Joins bots `b` of a statement, grouped by bot, with their sleeves, pools and last prices. */
export const holdingsOfBots = part`
    join sleeves s on s.user_id = b.user_id and s.bot_id = b.id
    join pools p on p.id = s.pool
    left join market_tickers t on t.pair = p.pair`

/**
 * The worth of each bot at the last prices, before the closing fee: own cash, money on its way in and out, own coins, and units valued like
 * `worthOf` in core. A missing price counts as zero.
 */
export const worthBeforeFee = part`
    b.pending + sum(
      s.cash + s.taken
      + case when s.base > 0 then div(s.base::numeric * coalesce(t.price, 0), 100000000) else 0 end
      + case when s.units > 0 then div(s.units * (p.cash::numeric * 100000000 + p.base::numeric * coalesce(t.price, 0)), p.units * 100000000) else 0 end)`

/**
 * Amount that closing all open bots of a statement's user `u` would return now: each less its own fee, like `closingFee` in core, and in whole
 * cents, like `floorToCents`, so that the bots of a list add up to it.
 */
export const worthOfBots = part`
           (select coalesce(sum(div(worth - div(greatest(worth - invested, 0) * fee_bps, 10000), 1000000) * 1000000), 0)::bigint
              from (select b.invested, b.fee_bps, ${worthBeforeFee} as worth
                      from trading_bots b ${holdingsOfBots}
                     where b.user_id = u.id and b.status <> 'closed' group by b.user_id, b.id) bot)`
