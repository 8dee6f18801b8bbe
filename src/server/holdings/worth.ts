import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { DUST } from '#core/money/cents.ts'
import { PATIENCE_MS } from '#core/trading/wait.ts'
import { rows } from '#server/db/rows.ts'
import { part, type Fragment } from '#server/db/statement.ts'

/** Joins bots `b`, grouped by bot, with their sleeves, pools and last prices. */
export const holdingsOfBots = part`
    join sleeves s on s.user_id = b.user_id and s.bot_id = b.id
    join pools p on p.id = s.pool
    left join market_tickers t on t.pair = p.pair`

/**
 * Whether sleeve `s` has something to sell, or will have once the outcome of its pool's order is
 * known.
 */
export const isSelling = part`
    (s.status = 'leaving' or (s.behind_bps is not null and s.behind_bps > 0))`

/** Pairs that prevent grouped sleeves from selling, as JSON; null if there are none. */
export const waitsOfSleeves = part`
    jsonb_agg(distinct jsonb_build_object('pair', p.pair, 'reason', t.waiting, 'since',
      to_char(t.waiting_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      filter (where ${isSelling} and t.waiting is not null)`

/** Whether grouped sleeves have waited too long for every pair that they still have to sell. */
export const isLateFor = (at: Date) => part`
    coalesce(bool_and(coalesce(t.waiting_since <= ${new Date(at.getTime() - PATIENCE_MS)}, false))
      filter (where ${isSelling}), false)`

/**
 * A bot's worth at the last prices, before the closing fee: all cash, own coins, and pool units,
 * computed like `worthOf` and `withoutDust` in core. A missing price counts as zero.
 */
export const worthBeforeFee = worthWith(part`coalesce(t.price, 0)`)

/** The part of a bot's worth in coins, like `coinsOfBot` in core. */
export const coinsOfBots = part`
    sum(case when s.base > 0 then div(s.base::numeric * coalesce(t.price, 0), 100000000) else 0 end
      + case when s.units > 0
        then div(s.units * p.base * coalesce(t.price, 0), p.units * 100000000) else 0 end)`

function worthWith(price: Fragment): Fragment {
  const worth = part`
    b.pending + sum(
      s.cash + s.taken
      + case when s.base > 0 then div(s.base::numeric * ${price}, 100000000) else 0 end
      + case when s.units > 0
        then div(s.units * (p.cash::numeric * 100000000 + p.base::numeric * ${price}),
             p.units * 100000000) else 0 end)`
  return part`greatest(${worth}, div(${worth} + ${DUST}, 1000000) * 1000000)`
}

/**
 * The worth of one bot `b` at the given closes. A pair without a close is valued at its last price.
 */
export function worthAt(closes: readonly { pair: Pair; close: Units }[]): Fragment {
  return part`
    select (${worthWith(part`coalesce(given.close, t.price, 0)`)})::bigint as worth
      from sleeves s
      join pools p on p.id = s.pool
      left join market_tickers t on t.pair = p.pair
      left join ${rows(closes, { pair: 'text', close: 'bigint' })} on given.pair = p.pair
     where s.user_id = b.user_id and s.bot_id = b.id`
}

/**
 * The amount that closing all open bots of a user would return: the worth of each less its fee
 * (`closingFee` in core), in whole cents, so that listed bots add up to it.
 */
export const worthOfBots = (user: Fragment) => part`
           (select coalesce(sum(div(worth - div(greatest(worth - invested, 0) * fee_bps, 10000),
           1000000) * 1000000), 0)::bigint
              from (select b.invested, b.fee_bps, ${worthBeforeFee} as worth
                      from trading_bots b ${holdingsOfBots}
                     where b.user_id = ${user} and b.status <> 'closed' group by b.user_id,
                           b.id) bot)`
