import { checkInvestment } from '#core/bots/bot.ts'
import { checkPlan, periodStart, type PlanPeriod } from '#core/bots/savings-plan.ts'
import type { Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { idempotent } from '#server/db/idempotent.ts'
import type { Queries } from '#server/db/statement.ts'
import { publish } from '#server/events/bus.ts'
import { lockCash } from '#server/ledger/read.ts'
import { lockBot } from './change-bots.ts'
import { showBot } from './show-bot.ts'
import { readBot } from './store.ts'
import { changePlan, deletePlan, findPlan, writePlan } from './plan-store.ts'

/** Sets or changes a bot's plan. If it starts now, a job serves it within a second. */
export const setPlan: Handler<'setPlan'> = async (
  context,
  { userId, params: { id }, body, idempotencyKey },
) => {
  const wanted = {
    amount: decimalToUnits(body.amount),
    line: body.takeAbove === undefined ? null : decimalToUnits(body.takeAbove),
    every: body.every,
    starts: body.starts,
  }
  return context.atomically(({ sql }) =>
    idempotent(
      sql,
      { userId, key: idempotencyKey, action: 'set-plan', body: { id, ...body } },
      async () => {
        const bot = await lockBot(sql, { userId, id })
        if (!bot) throw new Refusal('not-found')
        checkPlan({ ...bot, ...wanted })
        if (wanted.starts === 'now')
          checkInvestment({
            amount: wanted.amount,
            available: await lockCash(sql, userId),
            field: 'amount',
          })
        await startPlan(context, sql, { userId, botId: id, ...wanted })
        await publish(sql, { name: 'bots', userIds: [userId] })
        return showBot(await readBot(sql, { userId, id }))
      },
    ),
  )
}

type WantedPlan = {
  userId: string
  botId: string
  amount: Units
  line: Units | null
  every: PlanPeriod
  starts: 'now' | 'next'
}

/**
 * Writes the plan of a locked bot. Changing the amount keeps the dates, so an edit cannot serve a
 * period twice.
 */
export async function startPlan(
  { newId, market }: Context,
  tx: Queries,
  { starts, ...plan }: WantedPlan,
): Promise<void> {
  const current = await findPlan(tx, { userId: plan.userId, id: plan.botId })
  if (starts === 'next' && current?.every === plan.every) return changePlan(tx, plan)
  const startMs = market.now().getTime()
  const period = starts === 'now' ? 0 : 1
  await writePlan(tx, {
    ...plan,
    id: newId(),
    startAt: new Date(startMs),
    period,
    dueAt: new Date(periodStart({ startMs, every: plan.every }, period)),
  })
}

/** Ends a plan. Idempotent. The money that the plan added stays in the bot. */
export const endPlan: Handler<'endPlan'> = async ({ atomically }, { userId, params: { id } }) =>
  atomically(async ({ sql }) => {
    const bot = await lockBot(sql, { userId, id })
    if (!bot) throw new Refusal('not-found')
    await deletePlan(sql, { userId, id })
    await publish(sql, { name: 'bots', userIds: [userId] })
    return showBot(await readBot(sql, { userId, id }))
  })
