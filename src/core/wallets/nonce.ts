import { Refusal } from '#core/refusal.ts'

/** Time within which a wallet must sign. */
export const NONCE_LIFETIME_MS = 10 * 60_000

/** Nonces kept per user, so that two tabs do not interfere; the oldest are dropped. */
export const MAXIMUM_NONCES = 5

/** Wallets that a user may have connected at the same time. */
export const MAXIMUM_WALLETS = 20

export type Nonce = { expiresAt: Date; usedAt: Date | null }

/** Refuses a nonce that is unknown (another user's counts as unknown), used or expired. */
export function checkNonce<Given extends Nonce>(nonce: Given | undefined, now: Date): Given {
  if (!nonce) throw new Refusal('wallet-nonce-unknown')
  if (nonce.usedAt !== null) throw new Refusal('wallet-nonce-used')
  if (now.getTime() >= nonce.expiresAt.getTime()) throw new Refusal('wallet-nonce-expired')
  return nonce
}
