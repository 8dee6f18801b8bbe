import { z } from 'zod'
import { LENGTHS, LONGEST_EMAIL } from '#core/auth/credentials.ts'
import { isOneLine, ONE_LINE_SENTENCE } from '#core/one-line.ts'
import { PROBLEMS, sentenceOf } from './problem.ts'
import { Balances, Id, Name, Timestamp, TypedText } from './wire.ts'

const tooLong = (maximum: number) => ({
  error: () => sentenceOf({ code: 'text-too-long', values: { maximum: String(maximum) } }),
})

export const length = (
  { minimum, maximum }: { minimum: number; maximum: number },
  text: typeof Name,
) =>
  text
    .min(minimum, {
      error: () => sentenceOf({ code: 'text-too-short', values: { minimum: String(minimum) } }),
    })
    .max(maximum, tooLong(maximum))

export const Password = length(LENGTHS.password, z.string(PROBLEMS.required.message))

/** Six digits of an authenticator app, or a recovery code. */
export const SecondFactorCode = TypedText.min(1, PROBLEMS.required.message).max(
  40,
  PROBLEMS['wrong-code'].message,
)

const Email = TypedText.max(LONGEST_EMAIL, tooLong(LONGEST_EMAIL)).pipe(
  z.email(PROBLEMS['email-invalid'].message),
)

/** `code` where the account has a second factor. */
export const LoginRequest = z.strictObject({
  username: length(LENGTHS.username, TypedText),
  password: Password,
  code: SecondFactorCode.optional(),
})
export type LoginRequest = z.infer<typeof LoginRequest>

export const SignupRequest = z.strictObject({
  username: length(LENGTHS.username, TypedText),
  password: Password,
  firstName: length(LENGTHS.firstName, Name),
  lastName: length(LENGTHS.lastName, Name),
  email: z.union([z.literal('').transform(() => undefined), Email]).optional(),
})
export type SignupRequest = z.infer<typeof SignupRequest>

/** The name that other screens greet the user with. */
export const UpdateUserRequest = z.strictObject({
  firstName: SignupRequest.shape.firstName,
  lastName: SignupRequest.shape.lastName,
})
export type UpdateUserRequest = z.infer<typeof UpdateUserRequest>

/** `currentPassword` proves that the account's owner sends the request. */
export const ChangePasswordRequest = z.strictObject({
  currentPassword: Password,
  newPassword: Password,
})

/** `currentPassword` proves that the account's owner sends the request. */
export const ChangeEmailRequest = z.strictObject({ email: Email, currentPassword: Password })

/** The secret behind the # of a link in a message. */
const Token = z.string().max(200)

export const LinkRequest = z.strictObject({ token: Token })

/**
 * The changes that 'This was not me' would undo now. Addresses are shortened: whoever holds a link
 * need not learn them.
 */
export const DisownPreview = z.strictObject({
  /** The account will be as it was before then. */
  since: z.iso.datetime(),
  /** Where the message goes with which a new password is set; null without a verified address. */
  address: z.string().nullable(),
  /** The address that the account has now, if it is another one. */
  otherAddress: z.string().nullable(),
  /** Amounts in dollars. */
  withdrawals: z.array(z.strictObject({ amount: z.string(), account: z.string() })),
  removedAccounts: z.array(z.string()),
  returnedAccounts: z.array(z.string()),
  /** Names of passkeys that are removed. */
  passkeys: z.array(z.string()),
  authenticator: z.boolean(),
  recoveryCodes: z.boolean(),
  protections: z.boolean(),
  devices: z.number().int(),
})

export const VerifiedEmail = z.strictObject({ email: z.string() })

/** A username or an email address. */
export const ResetRequest = z.strictObject({
  account: TypedText.min(1, PROBLEMS.required.message)
    .max(LONGEST_EMAIL, tooLong(LONGEST_EMAIL))
    .refine(isOneLine, ONE_LINE_SENTENCE),
})

export const ResetPasswordRequest = z.strictObject({ token: Token, newPassword: Password })

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

/** An attempt to sign in to the user's account. */
export const SignIn = z.strictObject({
  id: Id,
  at: Timestamp,
  /** As its browser described itself: 'Chrome on Android'. */
  device: z.string(),
  outcome: z.enum(['signed-in', 'refused']),
})
export type SignIn = z.infer<typeof SignIn>

export const SessionsEnded = z.strictObject({ ended: z.int().nonnegative() })

export const User = z.strictObject({
  id: Id,
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string(),
  lastName: z.string(),
  profileImageUrl: z.string().nullable(),
  ...Balances.shape,
  emailVerified: z.boolean(),
  /** Takes the place of the verified address as soon as it is verified too. */
  pendingEmail: z.string().nullable(),
  /** Notices in the inbox that the user has not seen; 99 stands for more too. */
  unreadNotices: z.int().min(0).max(99),
  createdAt: Timestamp,
})
export type User = z.infer<typeof User>
