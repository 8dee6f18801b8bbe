import type { Asset } from '#core/money/asset.ts'

/**
 * The chart of accounts. Credit-positive: what the house owes or earns is above 0, what it owns is below.
 *
 * Of a user alone: customer:cash free money · customer:hold money of open withdrawals · customer:receivable what the user owes after a
 * refund or dispute took back money that was no longer there (below 0).
 * Of the house alone: pool what a pool of bots owns, per asset · venue what lies at the trading venue · rounding what roundings leave over.
 * Of both: bots what bots own outside of pools · card:clearing card payments to come · payout:clearing payouts on their way · bank ·
 * fees:income. A user's transfer touches accounts of that user only, so that no two users ever wait for one row; the balance of such an
 * account for the product is the house's plus the sum of the users' (the view `ledger_control`).
 */
export type CustomerAccount = 'customer:cash' | 'customer:hold' | 'customer:receivable'

/** What both the house and every user have; a user's are opened when they are first used. */
export type SharedAccount = 'bots' | 'card:clearing' | 'payout:clearing' | 'bank' | 'fees:income'

export type AccountRef =
  | { code: CustomerAccount | SharedAccount; asset: 'USD'; owner: string }
  | { code: SharedAccount | 'venue' | 'rounding'; asset: Asset }
  | { code: 'pool'; asset: Asset; pool: number }

/** Whose the house's own accounts are: a user id that no user has. */
export const HOUSE = '00000000-0000-0000-0000-000000000000'

/** Accounts that may fall below 0. The user's `bots` does where bots returned more than was put into them. */
export const MAY_BE_NEGATIVE: ReadonlySet<AccountRef['code']> = new Set(['customer:receivable', 'bots', 'venue', 'rounding', 'card:clearing', 'bank'])

/** Accounts opened for every user at sign-up. */
export const CUSTOMER_ACCOUNTS: readonly CustomerAccount[] = ['customer:cash', 'customer:hold', 'customer:receivable']
