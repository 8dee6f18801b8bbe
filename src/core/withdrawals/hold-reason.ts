/**
 * Events after which withdrawals wait. 'disowned': somebody pressed 'This was not me'; that hold
 * lasts until a new password is set by mail.
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

/** Default wait for real money. Paper money waits only if the setting says so. */
export const LIVE_WITHDRAWAL_HOLD_HOURS = 24
