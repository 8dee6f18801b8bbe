import { z } from 'zod'
import { Id, Timestamp, Usd } from './wire.ts'

/** What the user types, limits as in the product's rules: 3 to 50, 6 to 100, 1 to 50 characters. */
const length = (minimum: number, maximum: number) =>
  z
    .string('Required')
    .min(minimum, `String must contain at least ${minimum} character(s)`)
    .max(maximum, `String must contain at most ${maximum} character(s)`)

export const LoginRequest = z.strictObject({ username: length(3, 50), password: length(6, 100) })
export type LoginRequest = z.infer<typeof LoginRequest>

export const SignupRequest = z.strictObject({
  username: length(3, 50),
  password: length(6, 100),
  firstName: length(1, 50),
  lastName: length(1, 50),
  email: z.union([z.literal('').transform(() => undefined), z.email('Invalid email').max(254)]).optional(),
})
export type SignupRequest = z.infer<typeof SignupRequest>

export const User = z.strictObject({
  id: Id,
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string(),
  lastName: z.string(),
  profileImageUrl: z.string().nullable(),
  /** Cash, held withdrawals and what all bots are worth at the last price. */
  totalBalance: Usd,
  /** Cash that can be withdrawn or invested at once. */
  availableBalance: Usd,
  /** Cash held for open withdrawals. */
  heldBalance: Usd,
  /** What all bots are worth at the last price. */
  investedBalance: Usd,
  createdAt: Timestamp,
})
export type User = z.infer<typeof User>
