import { required } from '#core/assert.ts'
import type { Sentence } from '#core/sentences.ts'
import type { BotStatus } from '#core/bots/bot.ts'
import type { PlanPeriod } from '#core/bots/savings-plan.ts'
import type { GuardName, Guards } from '#core/guards/guard.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Outlook } from '#core/strategy/next-change.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import type { Wait } from '#core/trading/wait.ts'
import { part, type Fragment, type Queries } from '#server/db/statement.ts'
import type { BotsOfUser } from '#server/holdings/stays.ts'
import {
  coinsOfBots,
  holdingsOfBots,
  waitsOfSleeves,
  worthBeforeFee,
} from '#server/holdings/worth.ts'

export type OfUser = { userId: string; id: string }

export type StoredBot = {
  id: string
  userId: string
  name: string
  riskLevel: RiskLevel
  strategy: StrategyKey
  /** Platform fee on profit taken out, in basis points. */
  feeBps: number
  tradingPairs: Pair[]
  invested: Units
  /** Money of the bot that its sleeves have not taken yet. */
  pending: Units
  status: BotStatus
  /** Basis points being taken out; null once they are paid. */
  takingBps: number | null
  isChanging: boolean
  /** Worth at the last prices, before the closing fee. */
  worth: Units
  /** The part of the worth that is in coins. */
  coins: Units
  /** Pairs whose coins the bot cannot sell. */
  waitingPairs: Wait[] | null
  /** Positions of each pair that the bot trades; null if it trades none. */
  positions: StoredPosition[] | null
  /** Marks are units as text. */
  guards: (Guards & Record<'start' | 'best' | 'dayStart', string>) | null
  /** The present stop, its times in UTC. */
  stop: { guard: GuardName; changeBps: number; at: string; backAt: string | null } | null
  /** Whether the bot still holds coins that a guard is selling. */
  isSelling: boolean
  createdAt: Date
  updatedAt: Date
  marketStart: Date
  /** Null without a plan. */
  planAmount: Units | null
  planEvery: PlanPeriod | null
  planLine: Units | null
  planDueAt: Date | null
  planIsShort: boolean | null
}

/**
 * `holds`: whether the bot has coins of the pair. `cash`, `base`: its pool's. Amounts are units as
 * text.
 */
export type StoredPosition = {
  pair: Pair
  holds: boolean
  price: string | null
  cash: string
  base: string
  exposureBps: number | null
  outlook: Outlook | null
  lookedAt: string | null
}

const botRows = (userId: string, which = part``) => part`
  select b.id, b.user_id, b.name, b.risk_level, b.strategy, b.fee_bps, b.trading_pairs, b.invested,
         b.pending, b.status, b.taking_bps, b.changing is not null as is_changing, b.created_at,
         b.updated_at, b.market_start,
         (${worthBeforeFee})::bigint as worth,
         (${coinsOfBots})::bigint as coins,
         bool_or(s.units > 0 or s.base > 0) as is_selling,
         ${waitsOfSleeves} as waiting_pairs,
         json_agg(json_build_object(
           'pair', p.pair, 'holds', s.base > 0 or (s.units > 0 and p.base > 0),
           'price', t.price::text, 'cash', p.cash::text, 'base', p.base::text,
           'exposureBps', e.exposure_bps, 'outlook', e.outlook, 'lookedAt', e.market_time)
           order by array_position(b.trading_pairs, p.pair))
           filter (where s.status <> 'out'
             or (p.strategy = b.strategy and p.pair = any(b.trading_pairs))) as positions,
         (${guardsOfBot(userId)}) as guards,
         (${stopOfBot(userId)}) as stop,
         n.amount as plan_amount, n.every as plan_every, n.line as plan_line,
         n.due_at as plan_due_at, n.is_short as plan_is_short
    from trading_bots b ${holdingsOfBots}
    left join bot_plans n on n.user_id = b.user_id and n.bot_id = b.id
    left join strategy_exposures e on e.pair = p.pair and e.strategy = p.strategy
   where b.user_id = ${userId} and b.status <> 'closed' ${which}
   group by b.user_id, b.id, n.user_id, n.bot_id`

/** Subqueries repeat the user, so that a distributed database runs them on the bot's node. */
const guardsOfBot = (userId: string) => part`
  select json_build_object(
           'stopLossBps', g.stop_loss_bps,
           'stopLossFrom', g.stop_loss_from,
           'takeProfitBps', g.take_profit_bps,
           'dailyLossBps', g.daily_loss_bps,
           'coolDownDays', g.cool_down_days,
           'start', g.start::text, 'best', g.best::text, 'dayStart', g.day_start::text)
    from bot_guards g
   where g.user_id = ${userId} and g.bot_id = b.id`

const stopOfBot = (userId: string) => part`
  select json_build_object(
           'guard', o.guard, 'changeBps', o.change_bps, 'at', o.at, 'backAt', o.back_at)
    from bot_stops o
   where o.user_id = ${userId} and o.bot_id = b.id and o.ended_at is null`

/** Open bots, newest first. */
export async function findBots(sql: Queries, userId: string): Promise<StoredBot[]> {
  return sql<StoredBot[]>`${botRows(userId)} order by b.id desc`
}

export async function findBot(
  sql: Queries,
  { userId, id }: OfUser,
): Promise<StoredBot | undefined> {
  const [bot] = await sql<StoredBot[]>`${botRows(userId, part`and b.id = ${id}`)}`
  return bot
}

/** Reads a bot that this transaction has locked or created. */
export async function readBot(sql: Queries, owner: OfUser): Promise<StoredBot> {
  return required(await findBot(sql, owner), 'the bot is open')
}

export async function countBots(tx: Queries, userId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from trading_bots
     where user_id = ${userId} and status <> 'closed'`
  return row?.count ?? 0
}

export async function findOtherNames(tx: Queries, { userId, id }: OfUser): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select name from trading_bots
     where user_id = ${userId} and id <> ${id} and status <> 'closed'`
  return rows.map(({ name }) => name)
}

export async function findPoolsOf(
  sql: Queries,
  { strategy, tradingPairs }: Pick<StoredBot, 'strategy' | 'tradingPairs'>,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from pools where strategy = ${strategy} and pair = any(${[...tradingPairs]})`
  return rows.map(({ id }) => id)
}

/**
 * `cash`: includes money taken out but not paid yet. `place`: position among the bot's pairs, from
 * 1. `isWanted`: false if the bot sells the pair after a change of its settings.
 */
export type StoredHolding = {
  pair: Pair
  place: number | null
  isWanted: boolean
  cash: Units
  base: Units
  units: bigint
  pool: { cash: Units; base: Units; units: bigint }
  price: Units | null
  exposureBps: number | null
  reason: Sentence | null
  outlook: Outlook | null
  lookedAt: Date | null
}

type HoldingRow = Omit<StoredHolding, 'units' | 'pool'> & {
  units: string
  poolCash: Units
  poolBase: Units
  poolUnits: string
}

export async function findHoldings(sql: Queries, { userId, id }: OfUser): Promise<StoredHolding[]> {
  const rows = await sql<HoldingRow[]>`
    select p.pair, array_position(b.trading_pairs, p.pair) as place, w.is_wanted,
           s.cash + s.taken as cash, s.base, s.units,
           p.cash as pool_cash, p.base as pool_base, p.units as pool_units,
           t.price, e.exposure_bps, e.reason, e.outlook, e.market_time as looked_at
      from sleeves s
      join pools p on p.id = s.pool
      join trading_bots b on b.user_id = s.user_id and b.id = s.bot_id
      left join market_tickers t on t.pair = p.pair
      left join strategy_exposures e on e.pair = p.pair and e.strategy = p.strategy
     cross join lateral (
           select p.strategy = b.strategy and p.pair = any(b.trading_pairs) as is_wanted) w
     where s.user_id = ${userId} and s.bot_id = ${id}
       and (w.is_wanted or s.status <> 'out' or s.cash > 0)
     order by place nulls last, w.is_wanted desc, p.id`
  return rows.map(({ poolCash, poolBase, poolUnits, units, ...row }) => ({
    ...row,
    units: BigInt(units),
    pool: { cash: poolCash, base: poolBase, units: BigInt(poolUnits) },
  }))
}

export async function sumPlatformFees(sql: Queries, { userId, id }: OfUser): Promise<Units> {
  const [row] = await sql<{ paid: Units }[]>`
    select coalesce(sum(fee_amount), 0)::bigint as paid from platform_fees
     where user_id = ${userId} and bot_id = ${id}`
  return row?.paid ?? 0n
}

/**
 * `amount`: money put in (above 0) or taken out (below 0), including the fee. `received`: the
 * change of the owner's cash. `invested`: the change of the investment, unless the bot was closed.
 */
export type BotMoney = {
  botId: string
  feeBps: number
  eventTime: Date
  amount: Units
  received: Units
  invested: Units
}

/** Money put into bots and taken out of them, oldest first. */
export async function findBotMoney(
  sql: Queries,
  { userId, botId }: BotsOfUser,
): Promise<BotMoney[]> {
  return sql<BotMoney[]>`
    select x.bot_id, b.fee_bps, t.event_time, e.amount, x.amount as received,
           case when e.amount > 0 then e.amount
                else -coalesce((x.metadata ->> 'investedPart')::bigint, 0) end as invested
      from transactions x
      join trading_bots b on b.user_id = x.user_id and b.id = x.bot_id
      join ledger_transfers t on t.user_id = x.user_id and t.id = x.transfer_id
      join ledger_entries e on e.user_id = t.user_id and e.transfer_id = t.id
      join ledger_accounts a on a.user_id = e.user_id and a.id = e.account_id and a.code = 'bots'
     where x.user_id = ${userId}
       and ${botId === undefined ? part`x.bot_id is not null` : part`x.bot_id = ${botId}`}
     order by t.event_time, t.id`
}

/** The present pairs of all the user's bots, closed ones included. */
export async function findPairs(sql: Queries, userId: string): Promise<Map<string, Pair[]>> {
  const bots = await sql<Pick<StoredBot, 'id' | 'tradingPairs'>[]>`
    select id, trading_pairs from trading_bots where user_id = ${userId}`
  return new Map(bots.map(({ id, tradingPairs }) => [id, tradingPairs]))
}

/** The history row of a movement of outside money. */
export type MoneyRow = { id: string; description: Sentence; createdAt: Date }

/** `isOutside`: a deposit or withdrawal, not a movement between cash and a bot. */
export type CashFlow = { eventTime: Date; amount: Units; isOutside: boolean; row: MoneyRow | null }

type CashFlowRow = Omit<CashFlow, 'row'> & {
  id: string | null
  description: Sentence | null
  createdAt: Date | null
}

const CASH = part`('customer:cash', 'customer:hold')`

const entries = (userId: string, codes: Fragment) => part`
        from ledger_accounts a
        join ledger_entries e on e.user_id = a.user_id and e.account_id = a.id
        join ledger_transfers t on t.user_id = e.user_id and t.id = e.transfer_id
       where a.user_id = ${userId} and a.code in ${codes}`

const isOutside = part`t.kind not in ('bot-funded', 'bot-returned')`

/** Deposits minus withdrawals. */
export async function sumNetDeposits(sql: Queries, userId: string): Promise<Units> {
  const [row] = await sql<{ sum: Units }[]>`
    select coalesce(sum(e.amount), 0)::bigint as sum ${entries(userId, CASH)} and ${isOutside}`
  return row?.sum ?? 0n
}

/** Platform fees on profit taken out after `since`, market time. */
export async function sumFeesSince(
  sql: Queries,
  { userId, since }: { userId: string; since: Date },
): Promise<Units> {
  const [row] = await sql<{ sum: Units }[]>`
    select coalesce(sum(e.amount), 0)::bigint as sum ${entries(userId, part`('fees:income')`)}
       and t.event_time > ${since}`
  return row?.sum ?? 0n
}

/**
 * Changes of the user's cash and holds, oldest first. A withdrawal is booked by a later transfer
 * than the one in its row.
 */
export async function findCashFlows(sql: Queries, userId: string): Promise<CashFlow[]> {
  const rows = await sql<CashFlowRow[]>`
    with flows as (
      select t.id, t.event_time, sum(e.amount)::bigint as amount,
             ${isOutside} as is_outside,
             case when t.dedup_key like 'withdrawal:%'
                then split_part(t.dedup_key, ':', 2)::uuid end as withdrawal_id
        ${entries(userId, CASH)}
       group by t.id, t.event_time, t.kind, t.dedup_key
      having sum(e.amount) <> 0)
    select f.event_time, f.amount, f.is_outside, coalesce(x.id, w.id) as id,
           coalesce(x.description, w.description) as description,
           coalesce(x.created_at, w.created_at) as created_at
      from flows f
      left join transactions x
        on x.user_id = ${userId} and x.type <> 'transfer' and x.transfer_id = f.id
      left join transactions w
        on w.user_id = ${userId} and w.type = 'withdrawal' and w.withdrawal_id = f.withdrawal_id
     order by f.event_time, f.id`
  return rows.map(({ id, description, createdAt, ...flow }) => ({
    ...flow,
    row:
      id === null || description === null || createdAt === null
        ? null
        : { id, description, createdAt },
  }))
}
