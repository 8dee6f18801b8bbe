/**
 * Events after which withdrawals wait. 'disowned': somebody pressed 'This was not me'; that one
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

/**
 * Hours that withdrawals wait after such an event where money is real; with paper money they wait
 * only if that is set.
 */
export const LIVE_HOLD_HOURS = 24
