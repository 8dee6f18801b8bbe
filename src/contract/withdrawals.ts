import { z } from 'zod'
import { typedDigits } from '#core/typed-text.ts'
import { LONGEST_BANK_NAME } from '#core/withdrawals/bank-account.ts'
import { HOLD_REASONS } from '#core/withdrawals/hold-reason.ts'
import { PROBLEMS } from './problem.ts'
import { amountInput, Id, Name, Timestamp, TypedText, Usd } from './wire.ts'

export const BankAccount = z.strictObject({
  id: Id,
  bankName: z.string(),
  /** The last 4 digits only; the number itself never leaves the server. */
  accountNumber: z.string().regex(/^\d{4}$/),
  accountType: z.enum(['checking', 'savings']),
  isDefault: z.boolean(),
  /**
   * Until when it is too new for users who withdraw only to accounts that are not; null if it is
   * old enough.
   */
  notAllowedUntil: Timestamp.nullable(),
  createdAt: Timestamp,
})
export type BankAccount = z.infer<typeof BankAccount>

export const AddBankAccountRequest = z.strictObject({
  bankName: Name.min(1, PROBLEMS.required.message).max(LONGEST_BANK_NAME),
  accountNumber: TypedText.overwrite(typedDigits).max(
    34,
    PROBLEMS['account-number-invalid'].message,
  ),
  routingNumber: TypedText.overwrite(typedDigits).max(
    20,
    PROBLEMS['routing-number-invalid'].message,
  ),
  accountType: z.enum(['checking', 'savings']),
})
export type AddBankAccountRequest = z.infer<typeof AddBankAccountRequest>

export const WithdrawalRequestBody = z.strictObject({
  amount: amountInput(PROBLEMS['withdrawal-amount-invalid'].message),
  bankAccountId: z.string().max(100).nullish(),
})
export type WithdrawalRequestBody = z.input<typeof WithdrawalRequestBody>

/** `status` is what users see, `state` the exact one. */
export const Withdrawal = z.strictObject({
  id: Id,
  amount: Usd,
  bankAccountId: Id,
  bankName: z.string(),
  accountNumber: z.string(),
  status: z.enum(['pending', 'processing', 'completed', 'failed']),
  state: z.enum([
    'pending',
    'in_review',
    'approved',
    'submitted',
    'paid',
    'failed',
    'returned',
    'canceled',
    'rejected',
  ]),
  cancelable: z.boolean(),
  /** Until when it is not sent, to protect the account; null if it need not wait. */
  sendsAfter: Timestamp.nullable(),
  createdAt: Timestamp,
  processedAt: Timestamp.nullable(),
})
export type Withdrawal = z.infer<typeof Withdrawal>

/** The amount that can be withdrawn now, and why the rest cannot. */
export const WithdrawalTerms = z.strictObject({
  withdrawable: Usd,
  /**
   * Debt that refunds and disputes of card payments left, rounded up to the cent. Nothing can be
   * withdrawn until it is paid back.
   */
  owed: Usd,
  /** Nothing can be withdrawn until a new password was set by mail. */
  isLocked: z.boolean(),
  /**
   * Until when withdrawals are not sent, to protect the account, and why; null if they need not
   * wait.
   */
  hold: z.strictObject({ until: Timestamp, reason: z.enum(HOLD_REASONS) }).nullable(),
  /** Hours that the user chose to lie between a request and its sending. */
  delayHours: z.int(),
  /** The rest of the user's own daily limit; null without one. */
  leftToday: Usd.nullable(),
  /** Card deposits that can be traded now and withdrawn from `until`. */
  holds: z.array(z.strictObject({ amount: Usd, until: Timestamp })),
})
export type WithdrawalTerms = z.infer<typeof WithdrawalTerms>
