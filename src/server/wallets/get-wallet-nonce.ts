import { randomBytes } from 'node:crypto'
import { Refusal } from '#core/refusal.ts'
import { MAXIMUM_NONCES, NONCE_LIFETIME_MS } from '#core/wallets/nonce.ts'
import { ownershipMessage } from '#core/wallets/ownership-message.ts'
import type { Handler } from '#server/action.ts'
import { siteOf } from '#server/settings/own-address.ts'
import { throttle } from '#server/security/throttle.ts'
import { canonicalAddress } from './signature.ts'
import { insertNonce, keepNewestNonces, lockWalletsOf } from './store.ts'

/**
 * Far more than a person needs. Limits the cost of verification, because each attempt needs a
 * nonce.
 */
const NONCES_PER_HOUR = 120

/** The server composes the message. Threat: one composed by the client could say anything. */
export const getWalletNonce: Handler<'getWalletNonce'> = async (
  { sql, atomically, config, now },
  { userId, query, client },
) => {
  const address = canonicalAddress(query.walletAddress ?? '')
  if (query.walletAddress !== undefined && address === undefined)
    throw new Refusal('wallet-address-invalid', { field: 'walletAddress' })
  await throttle(sql, {
    key: `wallet-nonce:${userId}`,
    limit: NONCES_PER_HOUR,
    windowSeconds: 3_600,
  })
  const { chainId } = query
  const nonce = randomBytes(16).toString('hex')
  const issuedAt = now()
  const expiresAt = new Date(issuedAt.getTime() + NONCE_LIFETIME_MS)
  await atomically(async ({ sql }) => {
    await lockWalletsOf(sql, userId)
    await keepNewestNonces(sql, { userId, count: MAXIMUM_NONCES - 1 })
    await insertNonce(sql, { nonce, userId, walletAddress: address, chainId, issuedAt, expiresAt })
  })
  const message = ownershipMessage({
    ...siteOf(config, client),
    address: address ?? '{address}',
    chainId: chainId ?? '{chainId}',
    nonce,
    issuedAt,
    expiresAt,
  })
  return { nonce, message, expiresAt: expiresAt.toISOString() }
}
