import { z } from 'zod'
import { typedDigits } from '#core/typed-text.ts'
import { LONGEST_BANK_NAME } from '#core/withdrawals/bank-account.ts'
import { LONGEST_DELAY_HOURS } from '#core/withdrawals/protections.ts'
import { HOLD_REASONS } from '#core/withdrawals/hold-reason.ts'
import type { CallRows } from './call-row.ts'
import { PROBLEMS } from './problem.ts'
import { amountInput, atMost, Id, Name, Timestamp, TypedText, Usd, Nothing } from './wire.ts'

const AccountType = z.enum(['checking', 'savings'])

export const BankAccount = z.strictObject({
  id: Id,
  bankName: z.string(),
  /** Last 4 digits, because the number itself never leaves the server. */
  accountNumber: z.string().regex(/^\d{4}$/),
  accountType: AccountType,
  isDefault: z.boolean(),
  /**
   * Time until which withdrawals to this account are refused, for users who refuse new bank
   * accounts.
   */
  notAllowedUntil: Timestamp.nullable(),
  createdAt: Timestamp,
})
export type BankAccount = z.infer<typeof BankAccount>

export const AddBankAccountRequest = z.strictObject({
  bankName: atMost(LONGEST_BANK_NAME, Name.min(1, PROBLEMS.required.message)),
  accountNumber: TypedText.overwrite(typedDigits).max(
    34,
    PROBLEMS['account-number-invalid'].message,
  ),
  routingNumber: TypedText.overwrite(typedDigits).max(
    20,
    PROBLEMS['routing-number-invalid'].message,
  ),
  accountType: AccountType,
})
export type AddBankAccountRequest = z.infer<typeof AddBankAccountRequest>

export const WithdrawalRequestBody = z.strictObject({
  amount: amountInput(PROBLEMS['withdrawal-amount-invalid'].message),
  bankAccountId: z.string().max(100).nullish(),
})

/** Screens show `status`; `state` is exact. */
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
  /** Time until which the withdrawal waits, to protect the account. */
  sendsAfter: Timestamp.nullable(),
  createdAt: Timestamp,
  processedAt: Timestamp.nullable(),
})
export type Withdrawal = z.infer<typeof Withdrawal>

/** The amount that can be withdrawn now, and why the rest cannot. */
export const WithdrawalTerms = z.strictObject({
  withdrawable: Usd,
  /** Debt from refunds and disputes, rounded up. Blocks all withdrawals. */
  owed: Usd,
  /** True until the user sets a new password by mail. */
  isLocked: z.boolean(),
  /**
   * True if the bank's file cannot contain the user's name. Withdrawals then wait until the user
   * changes the name.
   */
  isNameless: z.boolean(),
  /** The hold that protects the account; null without one. */
  hold: z.strictObject({ until: Timestamp, reason: z.enum(HOLD_REASONS) }).nullable(),
  /** Wait between request and sending, chosen by the user. */
  delayHours: z.int(),
  /** Remainder of the user's own daily limit; null without one. */
  leftToday: Usd.nullable(),
  /** Card deposits that cannot be withdrawn before `until`, but can be traded. */
  holds: z.array(z.strictObject({ amount: Usd, until: Timestamp })),
})
export type WithdrawalTerms = z.infer<typeof WithdrawalTerms>

const delayHours = z.int().min(0).max(LONGEST_DELAY_HOURS)

const Values = z.strictObject({
  /** Wait between request and sending. */
  delayHours,
  /** For any 24 hours; null for no limit. */
  dailyLimit: Usd.nullable(),
  /** Whether new bank accounts are refused. */
  allowedOnly: z.boolean(),
})

/** `later`: looser values that the user chose and that apply later. */
export const WithdrawalProtections = z.strictObject({
  ...Values.shape,
  /** Hours until a looser setting applies if it is chosen now. */
  looserAfterHours: z.int(),
  later: z.strictObject({ ...Values.shape, from: Timestamp }).nullable(),
})
export type WithdrawalProtections = z.infer<typeof WithdrawalProtections>

/** Stricter values apply at once, looser ones later. */
export const UpdateProtectionsRequest = z.strictObject({
  delayHours,
  /** Null or left out: no limit. */
  dailyLimit: amountInput(PROBLEMS['daily-limit-invalid'].message).nullish(),
  allowedOnly: z.boolean(),
})

export const withdrawalCalls = {
  listBankAccounts: {
    summary: 'Your bank accounts',
    access: 'user',
    response: z.array(BankAccount),
  },
  addBankAccount: {
    summary: 'Add a bank account',
    access: 'user',
    proof: 'always',
    keyed: true,
    body: AddBankAccountRequest,
    response: BankAccount,
    status: 201,
    problems: [
      'routing-number-invalid',
      'account-number-invalid',
      'too-many-bank-accounts',
      'account-locked',
    ],
  },
  removeBankAccount: {
    summary: 'Remove a bank account',
    access: 'user',
    response: Nothing,
    problems: ['bank-account-in-use'],
  },
  makeBankAccountDefault: {
    summary: 'Make a bank account the default',
    access: 'user',
    response: BankAccount,
  },
  getWithdrawalTerms: {
    summary: 'How much you can withdraw now, and why not more',
    access: 'user',
    response: WithdrawalTerms,
  },
  getProtections: {
    summary: 'Your own limits of withdrawals',
    access: 'user',
    response: WithdrawalProtections,
  },
  updateProtections: {
    summary: 'Change your own limits: stricter ones at once, looser ones later',
    access: 'user',
    proof: 'always',
    body: UpdateProtectionsRequest,
    response: WithdrawalProtections,
    problems: ['daily-limit-invalid'],
  },
  listWithdrawals: { summary: 'Your withdrawals', access: 'user', response: z.array(Withdrawal) },
  requestWithdrawal: {
    summary: 'Request a withdrawal to a bank account',
    access: 'user',
    proof: 'always',
    keyed: true,
    body: WithdrawalRequestBody,
    response: Withdrawal,
    status: 201,
    problems: [
      'withdrawal-amount-invalid',
      'withdrawal-below-minimum',
      'withdrawal-above-available',
      'withdrawal-above-limit',
      'withdrawal-on-hold',
      'withdrawals-frozen',
      'withdrawals-locked',
      'bank-account-required',
      'bank-account-not-allowed',
      'not-found',
      'insufficient-balance',
    ],
  },
  cancelWithdrawal: {
    summary: 'Cancel a withdrawal that was not sent yet',
    access: 'user',
    response: Withdrawal,
    problems: ['withdrawal-not-cancelable', 'withdrawal-state'],
  },
} satisfies CallRows
