import { dayOf, marksAt, marksOfChange, type GuardMarks, type Guards } from '#core/guards/guard.ts'
import { refuseReached } from '#core/guards/guard-settings.ts'
import type { Units } from '#core/money/amount.ts'
import type { Queries } from '#server/db/statement.ts'
import type { OfUser } from './store.ts'

/** Callers must lock the bot first, as the engine does. Each change raises the revision. */

type StoredGuards = Guards & GuardMarks

type Setting = OfUser & {
  guards: Guards | undefined
  status: string
  /** The amount that closing the bot now would return. */
  worth: Units
  at: Date
  invested: Units
}

/**
 * Sets or removes the guards of a locked bot. New guards measure from now on. Refuses guards that
 * are already reached.
 */
export async function setGuards(
  tx: Queries,
  { userId, id, guards, status, worth, at, invested }: Setting,
): Promise<void> {
  if (!guards) {
    await tx`delete from bot_guards where user_id = ${userId} and bot_id = ${id}`
    return
  }
  const [before] = await tx<StoredGuards[]>`
    select stop_loss_bps, stop_loss_from, daily_loss_bps, start, best, day_start, day
      from bot_guards where user_id = ${userId} and bot_id = ${id}`
  const now = { worth, timeMs: at.getTime() }
  const marks = marksOfChange({ before, now: marksAt(now), invested })
  if (status === 'active') refuseReached(guards, marks, now)
  const { stopLossBps, stopLossFrom, takeProfitBps, dailyLossBps, coolDownDays } = guards
  const { start, best, dayStart, day } = marks
  await tx`
    insert into bot_guards (user_id, bot_id, stop_loss_bps, stop_loss_from, take_profit_bps,
           daily_loss_bps, cool_down_days, start, best, day_start, day)
    values (${userId}, ${id}, ${stopLossBps}, ${stopLossFrom}, ${takeProfitBps}, ${dailyLossBps},
           ${coolDownDays}, ${start}, ${best}, ${dayStart}, ${day})
    on conflict on constraint bot_guards_pkey
    do update
       set stop_loss_bps = excluded.stop_loss_bps, stop_loss_from = excluded.stop_loss_from,
           take_profit_bps = excluded.take_profit_bps, daily_loss_bps = excluded.daily_loss_bps,
           cool_down_days = excluded.cool_down_days, start = excluded.start, best = excluded.best,
           day_start = excluded.day_start, day = excluded.day, revision = bot_guards.revision + 1`
}

/** Raises the marks by money added to a locked bot, which is neither a gain nor a loss. */
export async function raiseMarks(
  tx: Queries,
  { userId, id, amount }: OfUser & { amount: Units },
): Promise<void> {
  await tx`
    update bot_guards set start = start + ${amount}, best = best + ${amount},
           day_start = day_start + ${amount}, revision = revision + 1
     where user_id = ${userId} and bot_id = ${id}`
}

/**
 * Ends the stop of a locked bot that its owner resumes or pauses; its guards measure from now on.
 */
export async function endStop(
  tx: Queries,
  { userId, id, worth, at }: OfUser & { worth: Units; at: Date },
): Promise<void> {
  await tx`
    update bot_stops set ended_at = greatest(at, ${at})
     where user_id = ${userId} and bot_id = ${id} and ended_at is null`
  await tx`
    update bot_guards set start = ${worth}, best = ${worth}, day_start = ${worth},
           day = ${dayOf(at.getTime())}, revision = revision + 1
     where user_id = ${userId} and bot_id = ${id}`
}
