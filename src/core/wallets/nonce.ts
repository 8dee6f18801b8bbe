import { Refusal } from '#core/refusal.ts'

/** A wallet must sign within this time. */
export const NONCE_LIFETIME_MS = 10 * 60_000

/**
 * Maximum number of open nonces per user. Several, so that two tabs do not interfere; the oldest
 * are dropped.
 */
export const MAXIMUM_NONCES = 5

export type Nonce = { expiresAt: Date; usedAt: Date | null }

/** Refuses a nonce that is unknown, another user's, used or expired. */
export function checkNonce<Given extends Nonce>(nonce: Given | undefined, now: Date): Given {
  if (!nonce) throw new Refusal('wallet-nonce-unknown')
  if (nonce.usedAt !== null) throw new Refusal('wallet-nonce-used')
  if (now.getTime() >= nonce.expiresAt.getTime()) throw new Refusal('wallet-nonce-expired')
  return nonce
}
