type Wait = {
  /** The reason in words, for the operator. */
  says: string
  /** Whether it is certain that nothing was sent: only then may the owner still cancel. */
  isUnsent: boolean
}

const unsent = (says: string): Wait => ({ says, isUnsent: true })

/** Reasons of the payout provider for not having paid a submitted payout yet. */
export const PAYOUT_WAITS = {
  funds: unsent('the payout provider holds too little money: top up the account it is paid from'),
  'not-enabled': unsent('the payout provider has not enabled such payouts: see its dashboard'),
  limit: unsent('a limit at the payout provider is reached: ask it for a higher one'),
  'bank-account': unsent('the payout provider has not set up the bank account yet'),
  busy: unsent('the payout provider receives too many requests: it is sent again'),
  key: unsent('the payout provider rejects our key, or what the key may do'),
  request: unsent('the payout provider rejects the request: the log has its reason'),
  away: unsent('the payout provider does not answer, and nothing was sent'),
  review: { says: 'the payout provider is reviewing it', isUnsent: false },
  unknown: { says: 'whether it was sent is unknown: it is looked up', isUnsent: false },
} as const satisfies Record<string, Wait>

export type PayoutWait = keyof typeof PAYOUT_WAITS

/** Null if the reason is not one of the provider's. */
const waitOf = (waitsFor: string | null): Wait | null =>
  waitsFor !== null && Object.hasOwn(PAYOUT_WAITS, waitsFor)
    ? PAYOUT_WAITS[waitsFor as PayoutWait]
    : null

export const waitSentence = (waitsFor: string | null): string | null =>
  waitOf(waitsFor)?.says ?? waitsFor

export const isUnsentWait = (waitsFor: string | null): boolean =>
  waitOf(waitsFor)?.isUnsent === true
