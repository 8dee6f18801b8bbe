import { nextPeriod, periodStart, planStep, type PlanStep } from '#core/bots/savings-plan.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { sentence } from '#core/sentences.ts'
import type { Context } from '#server/context.ts'
import type { BookWrite } from '#server/db/book.ts'
import { publish, wakeEngine } from '#server/events/bus.ts'
import { lockCash } from '#server/ledger/read.ts'
import { readMarketTime } from '#server/market/clock.ts'
import { notify } from '#server/notices/notify.ts'
import { addMoney } from './top-up-bot.ts'
import { isSettled, lockBot, takeOut, type LockedBot } from './change-bots.ts'
import { closingNow } from './show-bot.ts'
import { readBot, type OfUser } from './store.ts'
import { findDueBots, findPlan, writeRun, type PlanRun, type StoredPlan } from './plan-store.ts'

const BATCH = 500

/**
 * Serves due plans, each in a transaction that also marks the period as served, so that neither a
 * crash nor another process serves a period twice. A failed plan is retried at the next call.
 */
export async function runPlans(context: Context): Promise<void> {
  for (
    let after: OfUser | undefined, due: OfUser[] | undefined;
    due === undefined || due.length === BATCH;
    after = due.at(-1)
  ) {
    due = await findDueBots(context.sql, { after, most: BATCH })
    for (const owner of due) {
      await context
        .atomically((tx) => servePlan(context, tx, owner))
        .catch((error: unknown) =>
          context.log.error({ err: error, bot: owner.id }, 'a plan failed; it will be retried'),
        )
    }
  }
}

/**
 * Locks the bot, then the cash. Does nothing if another process was faster or the owner changed the
 * bot.
 */
async function servePlan(context: Context, tx: BookWrite, owner: OfUser): Promise<void> {
  const bot = await lockBot(tx.sql, owner)
  const plan = bot && (await findPlan(tx.sql, owner))
  const marketTime = await readMarketTime(tx.sql)
  if (!plan || !marketTime || plan.dueAt > marketTime) return
  const available = await lockCash(tx.sql, owner.userId)
  const { equity } = closingNow(await readBot(tx.sql, owner))
  const step = planStep({
    bot: { ...bot, isSettled: await isSettled(tx.sql, bot) },
    equity,
    amount: plan.amount,
    line: plan.line,
    available,
  })
  if (step.kind !== 'wait') await take(context, tx, { bot, plan, step, marketTime })
}

type Serving = {
  bot: LockedBot
  plan: StoredPlan
  step: Exclude<PlanStep, { kind: 'wait' }>
  marketTime: Date
}

async function take(
  context: Context,
  tx: BookWrite,
  { bot, plan, step, marketTime }: Serving,
): Promise<void> {
  const { userId, id: botId } = bot
  const run = {
    userId,
    botId,
    planId: plan.id,
    period: plan.period,
    amount: plan.amount,
    takingBps: null,
    transferId: null,
    marketTime,
  }
  const startMs = plan.startAt.getTime()
  const next = nextPeriod(
    { startMs, every: plan.every },
    { period: plan.period, nowMs: marketTime.getTime() },
  )
  const dueAt = new Date(periodStart({ startMs, every: plan.every }, next))
  await writeRun(tx.sql, await move(context, tx, { bot, plan, step, run }), { period: next, dueAt })
}

type Moving = Omit<Serving, 'marketTime'> & { run: Omit<PlanRun, 'outcome'> }

async function move(
  context: Context,
  tx: BookWrite,
  { bot, plan, step, run }: Moving,
): Promise<PlanRun> {
  const { userId, id, name } = bot
  if (step.kind === 'add') {
    const added = {
      userId,
      id,
      amount: plan.amount,
      cause: `plan:${plan.id}:${plan.period}`,
      description: sentence('addedByPlan', { name }),
      eventTime: run.marketTime,
    }
    return { ...run, outcome: 'added', transferId: await addMoney(context, tx, added) }
  }
  await publish(tx.sql, { name: 'bots', userIds: [userId] })
  if (step.kind === 'take') {
    await takeOut(tx.sql, { userId, id, takingBps: step.takingBps, isByPlan: true })
    await wakeEngine(tx.sql)
    return { ...run, outcome: 'taken', takingBps: step.takingBps }
  }
  // The user is notified once, until the plan is served again.
  if (!plan.isShort)
    await notify(tx.sql, {
      userId,
      kind: 'plan-short',
      event: `plan:${plan.id}:${plan.period}`,
      details: { bot: name, amount: unitsToDecimal(plan.amount, 2), botId: id },
    })
  return { ...run, outcome: 'short' }
}
