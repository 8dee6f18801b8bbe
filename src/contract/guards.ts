import { z } from 'zod'
import { GUARD_LIMITS, GUARD_SENTENCES, type GuardField } from '#core/guards/guard-settings.ts'
import { GUARD_NAMES } from '#core/guards/guard.ts'
import { Percent, Timestamp, Usd, wholeNumber } from './wire.ts'

const guardNumber = (field: GuardField) =>
  wholeNumber(GUARD_LIMITS[field], GUARD_SENTENCES[field]).nullable().default(null)

/** The loss is measured from the money put in or from the bot's best worth. */
const StopLossFrom = z.enum(['invested', 'best'])

/** Null or missing: no guard. */
export const GuardsInput = z
  .strictObject({
    stopLossPercent: guardNumber('stopLossPercent'),
    stopLossFrom: StopLossFrom.default('invested'),
    takeProfitPercent: guardNumber('takeProfitPercent'),
    dailyLossPercent: guardNumber('dailyLossPercent'),
    /** Days until a stopped bot restarts by itself. */
    coolDownDays: guardNumber('coolDownDays'),
  })
  .nullish()

export const Guards = z.strictObject({
  stopLossPercent: z.int().nullable(),
  stopLossFrom: StopLossFrom,
  takeProfitPercent: z.int().nullable(),
  dailyLossPercent: z.int().nullable(),
  coolDownDays: z.int().nullable(),
})
export type Guards = z.infer<typeof Guards>

/** Worths of the bot at which its guards sell it, computed from the marks that the engine uses. */
export const GuardLevels = z.strictObject({
  stopLoss: Usd.nullable(),
  takeProfit: Usd.nullable(),
  dailyLoss: Usd.nullable(),
})
export type GuardLevels = z.infer<typeof GuardLevels>

export const GuardStop = z.strictObject({
  guard: z.enum(GUARD_NAMES),
  /** Change of the bot's worth when the guard was reached. */
  percent: Percent,
  /** Market time. */
  at: Timestamp,
  /** Market time of the automatic restart; null if the owner must resume the bot. */
  backAt: Timestamp.nullable(),
  isSelling: z.boolean(),
})
export type GuardStop = z.infer<typeof GuardStop>
