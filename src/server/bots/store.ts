import type { BotStatus } from '#core/bots/bot.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Queries } from '#server/db/open.ts'
import type { StoredTrade } from './show-trade.ts'

export type StoredBot = {
  id: string
  userId: string
  name: string
  riskLevel: RiskLevel
  tradingPairs: Pair[]
  invested: Units
  status: BotStatus
  /** Worth at the last prices. */
  equity: Units
  createdAt: Date
  updatedAt: Date
  marketStart: Date
}

const botRows = (sql: Queries) => sql`
  select b.id, b.user_id, b.name, b.risk_level, b.trading_pairs, b.invested, b.status, b.created_at, b.updated_at, b.market_start,
         (select coalesce(sum(p.cash + div(p.base::numeric * coalesce(t.price, 0), 100000000)), 0)::bigint
            from bot_positions p left join market_tickers t on t.pair = p.pair
           where p.user_id = b.user_id and p.bot_id = b.id) as equity
    from trading_bots b`

/** The user's bots that are not closed, newest first. */
export async function findBots(sql: Queries, userId: string): Promise<StoredBot[]> {
  return sql<StoredBot[]>`${botRows(sql)} where b.user_id = ${userId} and b.status <> 'closed' order by b.id desc`
}

export async function findBot(sql: Queries, { userId, id }: { userId: string; id: string }): Promise<StoredBot | undefined> {
  const [bot] = await sql<StoredBot[]>`${botRows(sql)} where b.user_id = ${userId} and b.id = ${id} and b.status <> 'closed'`
  return bot
}

/** As `findBot`, and nobody else changes the bot until the transaction ends. */
export async function lockBot(tx: Queries, { userId, id }: { userId: string; id: string }): Promise<StoredBot | undefined> {
  const [bot] = await tx<StoredBot[]>`
    ${botRows(tx)} where b.user_id = ${userId} and b.id = ${id} and b.status <> 'closed' for no key update of b`
  return bot
}

export async function countBots(tx: Queries, userId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from trading_bots where user_id = ${userId} and status <> 'closed'`
  return row?.count ?? 0
}

export type NewBot = Pick<StoredBot, 'id' | 'userId' | 'name' | 'riskLevel' | 'tradingPairs' | 'invested' | 'marketStart'> & {
  sleeves: readonly { pair: Pair; cash: Units }[]
}

export async function insertBot(tx: Queries, bot: NewBot): Promise<void> {
  await tx`
    insert into trading_bots (id, user_id, name, risk_level, trading_pairs, invested, status, market_start)
    values (${bot.id}, ${bot.userId}, ${bot.name}, ${bot.riskLevel}, ${bot.tradingPairs}, ${bot.invested}, 'entering', ${bot.marketStart})`
  await tx`
    insert into bot_positions (user_id, bot_id, risk_level, pair, cash)
    select ${bot.userId}, ${bot.id}, ${bot.riskLevel}, pair, cash
      from unnest(${bot.sleeves.map(({ pair }) => pair)}::text[], ${bot.sleeves.map(({ cash }) => cash.toString())}::bigint[]) as sleeve (pair, cash)`
}

export async function setBot(tx: Queries, { userId, id, name, status }: Pick<StoredBot, 'userId' | 'id' | 'name' | 'status'>): Promise<void> {
  await tx`
    update trading_bots set name = ${name}, status = ${status}, updated_at = clock_timestamp() where user_id = ${userId} and id = ${id}`
}

/** Takes every open bot of the user to 'closing' and answers how many there were. */
export async function closeAllBots(tx: Queries, userId: string): Promise<number> {
  const result = await tx`
    update trading_bots set status = 'closing', updated_at = clock_timestamp()
     where user_id = ${userId} and status not in ('closing', 'closed')`
  return result.count
}

export type StoredHolding = { pair: Pair; cash: Units; base: Units; price: Units | null; exposureBps: number | null; reason: string | null }

/** What the bot holds on each pair beside what the strategy wants there. */
export async function findHoldings(sql: Queries, { userId, id }: { userId: string; id: string }): Promise<StoredHolding[]> {
  return sql<StoredHolding[]>`
    select p.pair, p.cash, p.base, t.price, e.exposure_bps, e.reason
      from bot_positions p
      join trading_bots b on b.user_id = p.user_id and b.id = p.bot_id
      left join market_tickers t on t.pair = p.pair
      left join strategy_exposures e on e.pair = p.pair and e.risk_level = b.risk_level
     where p.user_id = ${userId} and p.bot_id = ${id}
     order by array_position(b.trading_pairs, p.pair)`
}

const tradeRows = (sql: Queries) => sql`
  select t.block_id, t.bot_id, k.pair, k.side, t.quantity, k.fill_price as price, t.total, t.fee, t.profit, f.fee_amount as platform_fee,
         coalesce(k.reasons ->> b.risk_level, '') as reason, k.market_time, k.planned_at as created_at
    from bot_trades t
    join engine_blocks k on k.id = t.block_id
    join trading_bots b on b.user_id = t.user_id and b.id = t.bot_id
    left join platform_fees f on f.user_id = t.user_id and f.block_id = t.block_id and f.bot_id = t.bot_id`

/** The bot's trades before `cursor` (a block's id), newest first. */
export async function findTrades(
  sql: Queries,
  { userId, id, cursor, limit }: { userId: string; id: string; cursor: string | undefined; limit: number },
): Promise<StoredTrade[]> {
  return sql<StoredTrade[]>`
    ${tradeRows(sql)}
     where t.user_id = ${userId} and t.bot_id = ${id} and (${cursor ?? null}::uuid is null or t.block_id < ${cursor ?? null}::uuid)
     order by t.block_id desc limit ${limit}`
}

export async function countTrades(sql: Queries, { userId, id }: { userId: string; id: string }): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from bot_trades where user_id = ${userId} and bot_id = ${id}`
  return row?.count ?? 0
}

export type StoredFlow = { pair: Pair; side: Side; quantity: Units; total: Units; fee: Units; platformFee: Units; marketTime: Date }

/** Everything that the bot, or all bots of the user, traded, oldest first: what a curve is made of. */
export async function findFlows(sql: Queries, { userId, id }: { userId: string; id?: string }): Promise<StoredFlow[]> {
  return sql<StoredFlow[]>`
    select k.pair, k.side, t.quantity, t.total, t.fee, coalesce(f.fee_amount, 0) as platform_fee, k.market_time
      from bot_trades t
      join engine_blocks k on k.id = t.block_id
      left join platform_fees f on f.user_id = t.user_id and f.block_id = t.block_id and f.bot_id = t.bot_id
     where t.user_id = ${userId} and (${id ?? null}::uuid is null or t.bot_id = ${id ?? null}::uuid)
     order by t.block_id`
}

/** Money that entered or left everything the user owns: deposits, payouts, refunds; not what moves between cash, holds and bots. */
export async function findExternalFlows(sql: Queries, userId: string): Promise<{ eventTime: Date; amount: Units }[]> {
  return sql<{ eventTime: Date; amount: Units }[]>`
    select t.event_time, sum(e.amount)::bigint as amount
      from ledger_accounts a
      join ledger_entries e on e.account_id = a.id
      join ledger_transfers t on t.id = e.transfer_id
     where a.owner = ${userId} and a.code in ('customer:cash', 'customer:hold') and t.kind not in ('bot-funded', 'bot-returned')
     group by t.id, t.event_time having sum(e.amount) <> 0 order by t.event_time, t.id`
}
