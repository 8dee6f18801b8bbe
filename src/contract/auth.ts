import { z } from 'zod'
import { LENGTHS } from '#core/auth/credentials.ts'
import { PROBLEMS, sentenceOf } from './problem.ts'
import { Balances, Id, Name, Timestamp } from './wire.ts'

const length = ({ minimum, maximum }: { minimum: number; maximum: number }, text = z.string(PROBLEMS.required.message)) =>
  text
    .min(minimum, { error: () => sentenceOf({ code: 'text-too-short', values: { minimum: String(minimum) } }) })
    .max(maximum, { error: () => sentenceOf({ code: 'text-too-long', values: { maximum: String(maximum) } }) })

const Password = length(LENGTHS.password)

export const LoginRequest = z.strictObject({ username: length(LENGTHS.username), password: Password })
export type LoginRequest = z.infer<typeof LoginRequest>

export const SignupRequest = z.strictObject({
  username: length(LENGTHS.username),
  password: Password,
  firstName: length(LENGTHS.firstName, Name),
  lastName: length(LENGTHS.lastName, Name),
  email: z.union([z.literal('').transform(() => undefined), z.email(PROBLEMS['email-invalid'].message).max(254)]).optional(),
})
export type SignupRequest = z.infer<typeof SignupRequest>

/** The name that other screens greet the user with. */
export const UpdateUserRequest = z.strictObject({ firstName: SignupRequest.shape.firstName, lastName: SignupRequest.shape.lastName })
export type UpdateUserRequest = z.infer<typeof UpdateUserRequest>

/** `currentPassword` proves that the account's owner sends the request. */
export const ChangePasswordRequest = z.strictObject({ currentPassword: Password, newPassword: Password })

/** One of the user's own sign-ins. Nothing in it can be used to sign in. */
export const Session = z.strictObject({
  id: Id,
  /** As its browser describes itself: 'Chrome on Android'. */
  device: z.string(),
  createdAt: Timestamp,
  /** Accurate to five minutes. */
  lastSeenAt: Timestamp,
  /** True for the session that sends the request. */
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
