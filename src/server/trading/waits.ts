import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { PATIENCE_MS, type Settlement, type Wait, type WaitReason } from '#core/trading/wait.ts'
import { utcMinuteText } from '#core/utc-text.ts'
import { rows } from '#server/db/rows.ts'
import { isSelling } from '#server/holdings/worth.ts'
import type { Queries } from '#server/db/statement.ts'
import { notify } from '#server/notices/notify.ts'

/** The reason why the last try to sell coins of a pair failed; undefined if it succeeded. */
export type Tries = ReadonlyMap<Pair, WaitReason | undefined>

export async function findWaits(sql: Queries): Promise<Map<Pair, WaitReason>> {
  const found = await sql<{ pair: Pair; waiting: WaitReason }[]>`
    select pair, waiting from market_tickers where waiting is not null`
  return new Map(found.map(({ pair, waiting }) => [pair, waiting]))
}

type StoredSettlement = { price: string; reason: string }

/** Pairs whose coins the operator buys while the venue does not trade them. */
export async function findSettlements(sql: Queries): Promise<Map<Pair, Settlement>> {
  const found = await sql<{ pair: Pair; settlement: StoredSettlement }[]>`
    select pair, settlement from market_tickers where settlement is not null`
  return new Map(
    found.map(({ pair, settlement: { price, reason } }) => [
      pair,
      { price: decimalToUnits(price), reason },
    ]),
  )
}

/** Stores a settlement for as long as its pair waits. Returns false if the wait is over. */
export async function writeSettlement(
  tx: Queries,
  pair: Pair,
  { price, reason }: Settlement,
): Promise<boolean> {
  const settlement: StoredSettlement = { price: unitsToDecimal(price, 8), reason }
  const { count } = await tx`
    update market_tickers set settlement = ${JSON.stringify(settlement)}::text::jsonb
     where pair = ${pair} and waiting is not null`
  return count > 0
}

/** `price`: the last one. */
type WaitingSale = { pair: Pair; reason: WaitReason; since: Date; price: Units; bots: number }

/** Pairs that have kept bots from selling for long, with the number of these bots. */
export async function findWaitingSales(sql: Queries): Promise<WaitingSale[]> {
  return sql<WaitingSale[]>`
    select t.pair, t.waiting as reason, t.waiting_since as since, t.price,
           count(*)::integer as bots
      from market_clock c
      join market_tickers t on t.waiting_since <= c.market_time - ${PATIENCE_MS / 1_000}::integer
           * interval '1 second'
      join pools p on p.pair = t.pair
      join sleeves s on s.pool = p.id and ${isSelling}
     group by t.pair order by t.pair`
}

/**
 * A wait keeps its start time when its reason changes. Notifies owners of waits that are over,
 * unless the operator bought their coins.
 */
export async function writeWaits(tx: Queries, tries: Tries, at: Date): Promise<void> {
  const tried = [...tries].map(([pair, waiting]) => ({ pair, waiting }))
  const over = await tx<{ pair: Pair; since: Date }[]>`
    select t.pair, t.waiting_since as since
      from market_tickers t join ${rows(tried, { pair: 'text', waiting: 'text' })}
        on given.pair = t.pair and given.waiting is null
     where t.waiting_since <= ${new Date(at.getTime() - PATIENCE_MS)} and t.settlement is null`
  await tx`
    update market_tickers t
       set waiting = given.waiting,
           settlement = case when given.waiting is not null then t.settlement end,
           waiting_since = case when given.waiting is not null
                                then coalesce(t.waiting_since, ${at}) end
      from ${rows(tried, { pair: 'text', waiting: 'text' })}
     where t.pair = given.pair`
  for (const { pair, since } of over) await reportOver(tx, { pair, since: utcMinuteText(since) })
}

type Waiting = { userId: string; botId: string; bot: string }

/** Notifies owners, once for each bot and wait, of pairs that it could not sell for long. */
export async function reportWaits(tx: Queries, at: Date): Promise<void> {
  const late = await tx<(Omit<Wait, 'since'> & { since: Date })[]>`
    select pair, waiting as reason, waiting_since as since from market_tickers
     where waiting_since <= ${new Date(at.getTime() - PATIENCE_MS)}`
  for (const { pair, reason, since } of late) {
    const details = { pair, reason, since: utcMinuteText(since) }
    const waited = `waits:${pair}:${details.since}:`
    const bots = await tx<Waiting[]>`
      select b.user_id, b.id as bot_id, b.name as bot
        from pools p
        join sleeves s on s.pool = p.id and ${isSelling}
        join trading_bots b on b.user_id = s.user_id and b.id = s.bot_id
       where p.pair = ${pair}
         and not exists (
             select 1 from notices n
              where n.user_id = b.user_id
                and n.event_key = ${waited} || b.id::text)`
    await notify(
      tx,
      ...bots.map(({ userId, ...bot }) => ({
        userId,
        kind: 'sale-waits' as const,
        event: `${waited}${bot.botId}`,
        details: { ...bot, ...details },
      })),
    )
  }
}

async function reportOver(tx: Queries, { pair, since }: Omit<Wait, 'reason'>): Promise<void> {
  const notified = await tx<Waiting[]>`
    select user_id, details ->> 'botId' as bot_id, details ->> 'bot' as bot from notices
     where kind = 'sale-waits' and details ->> 'pair' = ${pair} and details ->> 'since' = ${since}`
  await notify(
    tx,
    ...notified.map(({ userId, ...bot }) => ({
      userId,
      kind: 'sale-over' as const,
      event: `resumed:${pair}:${since}:${bot.botId}`,
      details: { ...bot, pair },
    })),
  )
}
