import { z } from 'zod'
import { Balances, Id, Name, Timestamp } from './wire.ts'

/** What the user types, limits as in the product's rules: 3 to 50, 6 to 100, 1 to 50 characters. */
const length = (minimum: number, maximum: number, text = z.string('Required')) =>
  text
    .min(minimum, `String must contain at least ${minimum} character(s)`)
    .max(maximum, `String must contain at most ${maximum} character(s)`)

export const LoginRequest = z.strictObject({ username: length(3, 50), password: length(6, 100) })
export type LoginRequest = z.infer<typeof LoginRequest>

export const SignupRequest = z.strictObject({
  username: length(3, 50),
  password: length(6, 100),
  firstName: length(1, 50, Name),
  lastName: length(1, 50, Name),
  email: z.union([z.literal('').transform(() => undefined), z.email('Invalid email').max(254)]).optional(),
})
export type SignupRequest = z.infer<typeof SignupRequest>

/** The rules of sign-up for the new password; `currentPassword` proves that it is the owner who asks. */
export const ChangePasswordRequest = z.strictObject({ currentPassword: length(6, 100), newPassword: length(6, 100) })

/** A sign-in of one's own, as its owner may see it: nothing here signs anybody in. */
export const Session = z.strictObject({
  id: Id,
  /** As the browser describes itself: 'Chrome on Android'. */
  device: z.string(),
  createdAt: Timestamp,
  /** Within five minutes. */
  lastSeenAt: Timestamp,
  /** The session that asks. */
  isCurrent: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const SessionsEnded = z.strictObject({ ended: z.int().nonnegative() })

export const User = z.strictObject({
  id: Id,
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string(),
  lastName: z.string(),
  profileImageUrl: z.string().nullable(),
  ...Balances.shape,
  createdAt: Timestamp,
})
export type User = z.infer<typeof User>
