import { assert } from '#core/assert.ts'
import type { BotStanding } from '#core/bots/bot.ts'
import type { BotSettings } from '#core/bots/change-settings.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { choiceOf, strategyKey, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { rows } from '#server/db/rows.ts'
import { part, type Queries } from '#server/db/statement.ts'
import type { OfUser } from './store.ts'

/** Only the engine moves bots' holdings; these functions store what owners request. */

/** `isSynced`: the engine has adopted all of the owner's requests. */
export type LockedBot = OfUser &
  BotStanding & {
    name: string
    riskLevel: RiskLevel
    strategy: StrategyKey
    tradingPairs: Pair[]
    isSynced: boolean
  }

/**
 * Locks the user's bot; undefined if it is closed. Callers that need the user's cash must lock it
 * afterwards, as the engine does when it returns money.
 */
export async function lockBot(tx: Queries, { userId, id }: OfUser): Promise<LockedBot | undefined> {
  const [bot] = await tx<LockedBot[]>`
    select user_id, id, name, risk_level, strategy, trading_pairs, status, taking_bps,
           changing is not null as is_changing, is_synced from trading_bots
     where user_id = ${userId} and id = ${id} and status <> 'closed' for no key update`
  return bot
}

/**
 * Whether the engine has adopted all requests of a locked bot, and none of its sleeves is new,
 * pausing, resuming, leaving, or held by an order of unknown outcome. Joining sleeves do not
 * matter. Needs a statement of its own, because the statement that waited for the lock read the
 * state before it.
 */
export async function isSettled(
  tx: Queries,
  { userId, id, isSynced }: LockedBot,
): Promise<boolean> {
  const [row] = await tx<{ isMoving: boolean }[]>`
    select exists (select 1 from sleeves where user_id = ${userId} and bot_id = ${id}
           and (status in ('new', 'resuming', 'pausing', 'leaving') or behind_bps is not null))
           as is_moving`
  return isSynced && row?.isMoving === false
}

export type NewBot = OfUser & {
  name: string
  riskLevel: RiskLevel
  strategy: StrategyKey
  feeBps: number
  tradingPairs: readonly Pair[]
  invested: Units
  marketStart: Date
  sleeves: readonly { pair: Pair; cash: Units }[]
}

/** Inserts a bot with sleeves that wait for the engine. */
export async function insertBot(
  tx: Queries,
  {
    id,
    userId,
    name,
    riskLevel,
    strategy,
    feeBps,
    tradingPairs,
    invested,
    marketStart,
    sleeves,
  }: NewBot,
): Promise<void> {
  await tx`
    insert into trading_bots (user_id, id, name, risk_level, strategy, fee_bps, trading_pairs,
           invested, status, market_start)
    values (${userId}, ${id}, ${name}, ${riskLevel}, ${strategy}, ${feeBps}, ${[...tradingPairs]},
           ${invested}, 'active', ${marketStart})`
  const written = await tx`
    insert into sleeves (user_id, bot_id, pool, status, cash)
    select ${userId}, ${id}, pools.id, 'new', given.cash
      from ${rows(sleeves, { pair: 'text', cash: 'bigint' })}
      join pools on pools.pair = given.pair and pools.strategy = ${strategy}`
  assert(written.count === sleeves.length, 'each pair has a pool of each strategy')
}

export async function setBot(
  tx: Queries,
  { userId, id, name, status }: OfUser & Pick<LockedBot, 'name' | 'status'>,
): Promise<void> {
  await tx`
    update trading_bots set name = ${name}, status = ${status}, updated_at = now()
     where user_id = ${userId} and id = ${id}`
}

const TO_CLOSING = part`
  status = 'closing', taking_bps = null, is_taken_by_plan = false, changing = null,
  updated_at = now()`

/**
 * Closes a bot and ends its plan. Everything is returned, including a part that was being taken out
 * or moved.
 */
export async function closeBot(tx: Queries, { userId, id }: OfUser): Promise<void> {
  await tx`
    update trading_bots set ${TO_CLOSING}
     where user_id = ${userId} and id = ${id} and status <> 'closing'`
  await tx`delete from bot_plans where user_id = ${userId} and bot_id = ${id}`
}

/** Closes all bots and ends their plans, locked in the engine's order. Returns their number. */
export async function closeAllBots(tx: Queries, userId: string): Promise<number> {
  const result = await tx`
    with open as materialized (
      select user_id, id from trading_bots
       where user_id = ${userId} and status not in ('closing', 'closed')
       order by id for no key update)
    update trading_bots b set ${TO_CLOSING}
      from open
     where b.user_id = open.user_id and b.id = open.id`
  await tx`delete from bot_plans where user_id = ${userId}`
  return result.count
}

/** Adds money to a locked bot, which the engine splits over the sleeves. */
export async function addToBot(
  tx: Queries,
  { userId, id, amount }: OfUser & { amount: Units },
): Promise<void> {
  await tx`
    update trading_bots set invested = invested + ${amount}, pending = pending + ${amount},
           updated_at = now()
     where user_id = ${userId} and id = ${id}`
}

/** Requests a part of a locked bot, which the engine sells and returns. */
export async function takeOut(
  tx: Queries,
  { userId, id, takingBps, isByPlan }: OfUser & { takingBps: number; isByPlan: boolean },
): Promise<void> {
  await tx`
    update trading_bots set taking_bps = ${takingBps}, is_taken_by_plan = ${isByPlan},
           updated_at = now()
     where user_id = ${userId} and id = ${id}`
}

/** Gives a locked bot other pairs or another risk level. The engine moves the money. */
export async function changeSettings(
  tx: Queries,
  { userId, id, strategy: current, tradingPairs: before }: LockedBot,
  { riskLevel, tradingPairs }: BotSettings,
): Promise<void> {
  const strategy = strategyKey({ ...choiceOf(current), riskLevel })
  await tx`
    update trading_bots set risk_level = ${riskLevel}, strategy = ${strategy},
           trading_pairs = ${[...tradingPairs]}, changing = ${before.length}, updated_at = now()
     where user_id = ${userId} and id = ${id}`
  await tx`
    insert into sleeves (user_id, bot_id, pool, status, cash)
    select ${userId}, ${id}, id, 'new', 0 from pools
     where strategy = ${strategy} and pair = any(${[...tradingPairs]})
    on conflict do nothing`
}
