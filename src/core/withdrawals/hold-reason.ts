/**
 * Events after which withdrawals wait. 'disowned': somebody pressed 'This was not me'; lasts until
 * a new password is set by mail.
 */
export const HOLD_REASONS = [
  'password-reset',
  'password-changed',
  'email-verified',
  'factor-changed',
  'bank-account-added',
  'bank-account-default',
  'disowned',
] as const
export type HoldReason = (typeof HOLD_REASONS)[number]

/** With real money; paper money waits only if that is set. */
export const LIVE_WITHDRAWAL_HOLD_HOURS = 24
