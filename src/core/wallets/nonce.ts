import { Refusal } from '#core/refusal.ts'

/** How long a wallet may take to sign. */
export const NONCE_LIFETIME_MS = 10 * 60_000

/** Nonces kept for one user, so that two tabs do not disturb each other; the oldest make room. */
export const MAXIMUM_NONCES = 5

/** Wallets that a user may have connected at once. */
export const MAXIMUM_WALLETS = 20

export type Nonce = { expiresAt: Date; usedAt: Date | null }

/** Refuses a nonce that is not there (or is another user's, which is the same), was used, or is too old. */
export function checkNonce<Given extends Nonce>(nonce: Given | undefined, now: Date): Given {
  if (!nonce) throw new Refusal('wallet-nonce-unknown')
  if (nonce.usedAt !== null) throw new Refusal('wallet-nonce-used')
  if (now.getTime() >= nonce.expiresAt.getTime()) throw new Refusal('wallet-nonce-expired')
  return nonce
}
