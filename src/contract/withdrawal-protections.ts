import { z } from 'zod'
import { LONGEST_DELAY_HOURS } from '#core/withdrawals/protections.ts'
import { PROBLEMS } from './problem.ts'
import { amountInput, Timestamp, Usd } from './wire.ts'

const delayHours = z.int().min(0).max(LONGEST_DELAY_HOURS)

const Values = z.strictObject({
  /** Hours between the request of a withdrawal and its sending. */
  delayHours,
  /** The most that can be requested within any 24 hours; null for no limit. */
  dailyLimit: Usd.nullable(),
  /** Whether only bank accounts that are not new can be withdrawn to. */
  allowedOnly: z.boolean(),
})

/** How the user's withdrawals are protected. `later`: looser values, which apply from then on. */
export const WithdrawalProtections = z.strictObject({
  ...Values.shape,
  /** How long a looser setting waits now. */
  looserAfterHours: z.int(),
  later: z.strictObject({ ...Values.shape, from: Timestamp }).nullable(),
})
export type WithdrawalProtections = z.infer<typeof WithdrawalProtections>

/** All of them: those that are stricter than the present ones apply at once, the others later. */
export const UpdateProtectionsRequest = z.strictObject({
  delayHours,
  /** Without one, or null: no limit. */
  dailyLimit: amountInput(PROBLEMS['daily-limit-invalid'].message).nullish(),
  allowedOnly: z.boolean(),
})
