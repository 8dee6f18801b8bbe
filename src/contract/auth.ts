import { z } from 'zod'
import { LENGTHS, LONGEST_EMAIL } from '#core/auth/credentials.ts'
import { OBSTACLES } from '#core/auth/closing.ts'
import { isOneLine, ONE_LINE_SENTENCE } from '#core/one-line.ts'
import { PROVIDER, type CallRows } from './call-row.ts'
import { PROBLEMS, sentenceOf } from './problem.ts'
import {
  atMost,
  Balances,
  Id,
  Name,
  RequiredText,
  Timestamp,
  TypedText,
  Usd,
  Nothing,
} from './wire.ts'

export const length = (
  { minimum, maximum }: { minimum: number; maximum: number },
  text: typeof Name,
) =>
  atMost(
    maximum,
    text.min(minimum, {
      error: () => sentenceOf({ code: 'text-too-short', values: { minimum: String(minimum) } }),
    }),
  )

export const Password = length(LENGTHS.password, RequiredText)

/** A six-digit code of an authenticator app, or a recovery code. */
export const SecondFactorCode = TypedText.min(1, PROBLEMS.required.message).max(
  40,
  PROBLEMS['wrong-code'].message,
)

const EmailText = atMost(LONGEST_EMAIL, TypedText)
const Email = EmailText.pipe(z.email(PROBLEMS['email-invalid'].message))

/** `code`: required if the user has a second factor. */
export const LoginRequest = z.strictObject({
  username: length(LENGTHS.username, TypedText),
  password: Password,
  code: SecondFactorCode.optional(),
})

export const SignupRequest = z.strictObject({
  username: length(LENGTHS.username, TypedText),
  password: Password,
  firstName: length(LENGTHS.firstName, Name),
  lastName: length(LENGTHS.lastName, Name),
  email: z.union([z.literal('').transform(() => undefined), Email]).optional(),
})

export const UpdateUserRequest = z.strictObject({
  firstName: SignupRequest.shape.firstName,
  lastName: SignupRequest.shape.lastName,
})

/** `currentPassword` shows that the sender is the owner. */
export const ChangePasswordRequest = z.strictObject({
  currentPassword: Password,
  newPassword: Password,
})

export const ChangeEmailRequest = z.strictObject({ email: Email, currentPassword: Password })

/** The part after the # of a link in a message. */
const Token = z.string().max(200)

export const LinkRequest = z.strictObject({ token: Token })

/**
 * Changes that 'This was not me' would undo now. Addresses are shortened, because the holder of the
 * link may be a stranger.
 */
export const DisownPreview = z.strictObject({
  /** The account returns to its state before this time. */
  since: Timestamp,
  /** The address that receives the link for a new password; null without a verified address. */
  address: z.string().nullable(),
  /** The account's present address; null if it is the same. */
  otherAddress: z.string().nullable(),
  /** Amounts in dollars. */
  withdrawals: z.array(z.strictObject({ amount: z.string(), account: z.string() })),
  removedAccounts: z.array(z.string()),
  returnedAccounts: z.array(z.string()),
  passkeys: z.array(z.string()),
  /** Names of keys for programs. */
  keys: z.array(z.string()),
  authenticator: z.boolean(),
  recoveryCodes: z.boolean(),
  protections: z.boolean(),
  devices: z.int(),
})

export const VerifiedEmail = z.strictObject({ email: z.string() })

/** A username or an email address. */
export const ResetRequest = z.strictObject({
  account: EmailText.min(1, PROBLEMS.required.message).refine(isOneLine, ONE_LINE_SENTENCE),
})

export const ResetPasswordRequest = z.strictObject({ token: Token, newPassword: Password })

/** A session without its secret. */
export const Session = z.strictObject({
  id: Id,
  /** 'Chrome on Android'. */
  device: z.string(),
  createdAt: Timestamp,
  /** Accurate to five minutes. */
  lastSeenAt: Timestamp,
  isCurrent: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const SignIn = z.strictObject({
  id: Id,
  at: Timestamp,
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
  /** Replaces the present email address once it is verified. */
  pendingEmail: z.string().nullable(),
  unreadNotices: z.int().min(0).max(99),
  createdAt: Timestamp,
})
export type User = z.infer<typeof User>

/** The copy can be downloaded at `path` for five minutes, by this session alone. */
export const DataExport = z.strictObject({ path: z.string() })

export const Closing = z.strictObject({ obstacles: z.array(z.enum(OBSTACLES)), cash: Usd })
export type Closing = z.infer<typeof Closing>

export const DownloadQuery = z.strictObject({ ticket: z.string().max(200) })

const BREACHES = ['text-too-short', 'common-password', 'breached-password'] as const

export const authCalls = {
  getUser: {
    summary: 'Your account, with the four parts of your balance',
    access: 'session',
    response: User,
  },
  updateUser: {
    summary: 'Change your name',
    access: 'user',
    body: UpdateUserRequest,
    response: User,
  },
  login: {
    summary: 'Sign in with a password, and a code if you have a second factor',
    access: 'public',
    body: LoginRequest,
    response: User,
    problems: ['wrong-credentials', 'second-factor-required', 'wrong-code', 'account-locked'],
  },
  signup: {
    summary: 'Open an account and sign in',
    access: 'public',
    body: SignupRequest,
    response: User,
    status: 201,
    problems: ['username-invalid', 'username-taken', 'required', 'text-too-long', ...BREACHES],
  },
  logout: { summary: 'End this session', access: 'public', response: Nothing },
  changePassword: {
    summary: 'Change your password, which ends all other sessions',
    access: 'user',
    proof: 'with-factor',
    body: ChangePasswordRequest,
    response: Nothing,
    problems: ['wrong-credentials', 'wrong-password', 'password-unchanged', ...BREACHES],
  },
  changeEmail: {
    summary: 'Ask for another email address, which a link then verifies',
    access: 'user',
    proof: 'with-factor',
    body: ChangeEmailRequest,
    response: User,
    problems: ['wrong-password'],
  },
  sendVerification: {
    summary: 'Send the link that verifies your email address again',
    access: 'user',
    response: Nothing,
  },
  verifyEmail: {
    summary: 'Verify an email address with the link of a message',
    access: 'public',
    body: LinkRequest,
    response: VerifiedEmail,
    problems: ['link-invalid', 'account-locked'],
  },
  requestReset: {
    summary: 'Send a link for a new password, if there is such an account',
    access: 'public',
    body: ResetRequest,
    response: Nothing,
  },
  resetPassword: {
    summary: 'Set a new password with the link of a message',
    access: 'public',
    body: ResetPasswordRequest,
    response: Nothing,
    problems: ['link-invalid', 'account-locked', ...BREACHES],
  },
  previewDisown: {
    summary: 'See the changes that "This was not me" would undo',
    access: 'public',
    body: LinkRequest,
    response: DisownPreview,
    problems: ['link-invalid', 'account-locked'],
  },
  disown: {
    summary: 'Lock an account and undo the latest changes of it',
    access: 'public',
    body: LinkRequest,
    response: Nothing,
    problems: ['link-invalid', 'account-locked'],
  },
  exportData: {
    summary: 'Get the path of a copy of all your data',
    access: 'user',
    whileFrozen: true,
    proof: 'always',
    response: DataExport,
    status: 201,
  },
  getClosing: {
    summary: 'See what has to be settled before you can close your account',
    access: 'user',
    response: Closing,
  },
  closeAccount: {
    summary: 'Close your account',
    access: 'user',
    proof: 'always',
    response: Nothing,
    problems: ['account-not-empty', ...PROVIDER],
  },
  listSessions: { summary: 'Your sessions', access: 'user', response: z.array(Session) },
  listSignIns: {
    summary: 'Recent sign-ins to your account, refused ones too',
    access: 'user',
    response: z.array(SignIn),
  },
  endSession: {
    summary: 'End one of your sessions',
    access: 'user',
    whileFrozen: true,
    proof: 'unless-new',
    response: Nothing,
  },
  endOtherSessions: {
    summary: 'End all your sessions but this one',
    access: 'user',
    whileFrozen: true,
    proof: 'unless-new',
    response: SessionsEnded,
  },
} satisfies CallRows
