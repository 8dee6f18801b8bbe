import { english } from '#core/english.ts'
import { DAY_MS } from '#core/market/candle.ts'
import type { Units } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import { isMovingMoney, MINIMUM_INVESTMENT, type BotStanding } from './bot.ts'

export const PLAN_PERIODS = ['week', 'month'] as const
export type PlanPeriod = (typeof PLAN_PERIODS)[number]

export const LINE_SENTENCE = english('Please enter a worth of at least $1.')

/** Period 0 begins at `startMs`, market time. */
type PlanSchedule = { startMs: number; every: PlanPeriod }

/** Months keep the day and time of the start (UTC), or take the last day of a shorter month. */
export function periodStart({ startMs, every }: PlanSchedule, period: number): number {
  if (every === 'week') return startMs + period * 7 * DAY_MS
  const start = new Date(startMs)
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + period]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(start.getUTCDate(), lastDay)) + (startMs % DAY_MS)
}

/** The first period after `period` that begins after `nowMs`; missed ones are skipped. */
export function nextPeriod(
  schedule: PlanSchedule,
  { period, nowMs }: { period: number; nowMs: number },
): number {
  let next = period + 1
  while (periodStart(schedule, next) <= nowMs) next += 1
  return next
}

/** `line`: null for none; undefined: unreadable text. */
type PlanAmounts = { amount: Units | undefined; line: Units | undefined | null }

/** Refuses a closing bot, and a sum or line below its minimum. */
export function checkPlan({
  status,
  amount,
  line,
}: PlanAmounts & Pick<BotStanding, 'status'>): void {
  if (status === 'closing') throw new Refusal('bot-closing')
  checkPlanAmount(amount)
  checkPlanLine(line)
}

export function checkPlanAmount(amount: PlanAmounts['amount']): void {
  if (amount === undefined || amount < MINIMUM_INVESTMENT)
    throw new Refusal('bot-amount-invalid', { field: 'amount' })
}

export function checkPlanLine(line: PlanAmounts['line']): void {
  if (line !== null && (line === undefined || line < MINIMUM_INVESTMENT))
    throw new Refusal('bot-amount-invalid', { field: 'takeAbove', sentence: LINE_SENTENCE })
}

/** wait: the bot cannot take or give money now · short: the user's cash does not cover the sum. */
export type PlanStep =
  | { kind: 'wait' }
  | { kind: 'add' }
  | { kind: 'short' }
  | { kind: 'take'; takingBps: number }

/**
 * `isSettled`: see `TakeOutStanding`. `equity`: proceeds of closing the bot now. `available`: the
 * user's cash.
 */
export type PlanState = {
  bot: BotStanding & { isSettled: boolean }
  equity: Units
  amount: Units
  line: Units | null
  available: Units
}

/**
 * A bot worth more than the line pays out the excess; any other bot receives the sum. The plan
 * waits while the bot is paused or stopped or its money is moving.
 */
export function planStep({ bot, equity, amount, line, available }: PlanState): PlanStep {
  if (bot.status !== 'active' || isMovingMoney(bot)) return { kind: 'wait' }
  const takingBps = line === null ? 0 : partAbove({ equity, line })
  if (takingBps > 0) return bot.isSettled ? { kind: 'take', takingBps } : { kind: 'wait' }
  return amount > available ? { kind: 'short' } : { kind: 'add' }
}

/**
 * The part of the bot above its line, in basis points, floored so that at least the line stays in
 * the bot. 0 if the part is too small to trade.
 */
function partAbove({ equity, line }: { equity: Units; line: Units }): number {
  if (equity - line < MINIMUM_INVESTMENT) return 0
  return Number(((equity - line) * ALL_BPS) / equity)
}
