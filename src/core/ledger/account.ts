import type { Asset } from '#core/money/asset.ts'

/**
 * The chart of accounts. Credit-positive: what the house owes or earns is above 0, what it owns is below.
 * customer:cash free money of a user · customer:hold money of open withdrawals · customer:receivable what a user owes after a
 * refund or dispute took back money that was no longer there (below 0) · bots what all bots own, per asset (bot_positions are its subsidiary ledger) · venue what lies at the
 * trading venue · trade:clearing filled blocks not yet allocated · card:clearing card payments to come · payout:clearing payouts
 * on their way · bank · fees:income · rounding what allocation leaves over.
 */
export type HouseAccount =
  | 'bots'
  | 'venue'
  | 'trade:clearing'
  | 'card:clearing'
  | 'payout:clearing'
  | 'bank'
  | 'fees:income'
  | 'rounding'

export type CustomerAccount = 'customer:cash' | 'customer:hold' | 'customer:receivable'

export type AccountRef = { code: HouseAccount; asset: Asset } | { code: CustomerAccount; asset: 'USD'; owner: string }

/** Accounts opened for every user at sign-up. */
export const CUSTOMER_ACCOUNTS = [
  { code: 'customer:cash', mayBeNegative: false },
  { code: 'customer:hold', mayBeNegative: false },
  { code: 'customer:receivable', mayBeNegative: true },
] as const satisfies { code: CustomerAccount; mayBeNegative: boolean }[]
