import type { Asset } from '#core/money/asset.ts'

/**
 * The chart of accounts. Credit-positive: liabilities and income of the house are above 0, its
 * assets below.
 *
 * Users only: customer:cash (available money) · customer:hold (money of open withdrawals) ·
 * customer:receivable (below 0: owed by the user after a refund or dispute took back money already
 * used). House only: pool (assets of a pool of bots) · venue (assets at the trading venue) ·
 * interest (what the operator received for interest, less what was paid on idle cash of pools:
 * below 0 until the operator has received it all). Both: bots (assets of bots outside pools) ·
 * rounding (remainders of roundings; of a user: below 0, what the house added to reach whole cents)
 * · card:clearing (card payments not yet received) · payout:clearing (payouts in transit) · bank ·
 * fees:income. A user's transfer touches only that user's accounts, so two users never wait for the
 * same row; the balance for the whole product is the house's plus the sum of the users' (the view
 * `ledger_control`).
 */
export type CustomerAccount = 'customer:cash' | 'customer:hold' | 'customer:receivable'

/** Opened on the user's first use. */
export type SharedAccount =
  | 'bots'
  | 'card:clearing'
  | 'payout:clearing'
  | 'bank'
  | 'fees:income'
  | 'rounding'

/** `owner`: a user id; undefined for the house. `pool`: a pool id. */
export type AccountRef =
  | { code: CustomerAccount | SharedAccount; asset: 'USD'; owner: string }
  | { code: SharedAccount | 'venue'; asset: Asset }
  | { code: 'interest'; asset: 'USD' }
  | { code: 'pool'; asset: Asset; pool: number }

/** The owner id of the house. No user has it. */
export const HOUSE = '00000000-0000-0000-0000-000000000000'

/**
 * Accounts that may go below 0. A user's `bots` account does if bots return more than was put into
 * them.
 */
export const MAY_BE_NEGATIVE: ReadonlySet<AccountRef['code']> = new Set([
  'customer:receivable',
  'bots',
  'venue',
  'rounding',
  'interest',
  'card:clearing',
  'bank',
])

/** Opened for every user at sign-up. */
export const CUSTOMER_ACCOUNTS: readonly CustomerAccount[] = [
  'customer:cash',
  'customer:hold',
  'customer:receivable',
]
