import type { PlanPeriod } from '#core/bots/savings-plan.ts'
import type { Units } from '#core/money/amount.ts'
import type { Queries } from '#server/db/statement.ts'
import type { OfUser } from './store.ts'

/**
 * `period` begins at `dueAt` and is served next. `isShort`: the last period found too little cash.
 */
export type StoredPlan = {
  id: string
  amount: Units
  line: Units | null
  every: PlanPeriod
  startAt: Date
  period: number
  dueAt: Date
  isShort: boolean
}

export async function findPlan(
  tx: Queries,
  { userId, id }: OfUser,
): Promise<StoredPlan | undefined> {
  const [plan] = await tx<StoredPlan[]>`
    select id, amount, line, every, start_at, period, due_at, is_short from bot_plans
     where user_id = ${userId} and bot_id = ${id}`
  return plan
}

type NewPlan = Omit<StoredPlan, 'isShort'> & { userId: string; botId: string }

/** Replaces the bot's plan. */
export async function writePlan(
  tx: Queries,
  { userId, botId, id, amount, line, every, startAt, period, dueAt }: NewPlan,
): Promise<void> {
  await deletePlan(tx, { userId, id: botId })
  await tx`
    insert into bot_plans (user_id, bot_id, id, amount, line, every, start_at, period, due_at)
    values (${userId}, ${botId}, ${id}, ${amount}, ${line}, ${every}, ${startAt}, ${period},
           ${dueAt})`
}

/** Changes the plan without its dates. */
export async function changePlan(
  tx: Queries,
  { userId, botId, amount, line }: Pick<NewPlan, 'userId' | 'botId' | 'amount' | 'line'>,
): Promise<void> {
  await tx`update bot_plans set amount = ${amount}, line = ${line} where user_id = ${userId}
    and bot_id = ${botId}`
}

export async function deletePlan(tx: Queries, { userId, id }: OfUser): Promise<void> {
  await tx`delete from bot_plans where user_id = ${userId} and bot_id = ${id}`
}

const FIRST = {
  userId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
}

/**
 * At most `most` bots after `after`, ordered by key, whose plan is due and can be served now. Bots
 * of frozen users are left out.
 */
export async function findDueBots(
  sql: Queries,
  { after = FIRST, most }: { after?: OfUser | undefined; most: number },
): Promise<OfUser[]> {
  return sql<OfUser[]>`
    select n.user_id, n.bot_id as id
      from market_clock c
      join bot_plans n on n.due_at <= c.market_time
      join trading_bots b on b.user_id = n.user_id and b.id = n.bot_id and b.status = 'active'
       and b.taking_bps is null and b.changing is null
      join users u on u.id = n.user_id and u.frozen_at is null
     where (n.user_id, n.bot_id) > (${after.userId}, ${after.id})
     order by n.user_id, n.bot_id limit ${most}`
}

export type PlanRun = {
  userId: string
  botId: string
  planId: string
  period: number
  outcome: 'added' | 'taken' | 'short'
  amount: Units
  takingBps: number | null
  transferId: string | null
  marketTime: Date
}

/** Marks a period as served. The primary key refuses a second row. */
export async function writeRun(
  tx: Queries,
  { userId, botId, planId, period, outcome, amount, takingBps, transferId, marketTime }: PlanRun,
  next: { period: number; dueAt: Date },
): Promise<void> {
  await tx`
    insert into bot_plan_runs (user_id, bot_id, plan_id, period, outcome, amount, taking_bps,
           transfer_id, market_time)
    values (${userId}, ${botId}, ${planId}, ${period}, ${outcome}, ${amount}, ${takingBps},
           ${transferId}, ${marketTime})`
  await tx`
    update bot_plans set period = ${next.period}, due_at = ${next.dueAt},
           is_short = ${outcome === 'short'} where user_id = ${userId} and bot_id = ${botId}`
}
