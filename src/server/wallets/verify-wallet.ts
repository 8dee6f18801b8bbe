import { required } from '#core/assert.ts'
import { checkCount } from '#core/count-limits.ts'
import { Refusal } from '#core/refusal.ts'
import { chainName } from '#core/wallets/chain.ts'
import { checkNonce } from '#core/wallets/nonce.ts'
import { checkOwnershipMessage, readOwnershipMessage } from '#core/wallets/ownership-message.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import { siteOf } from '#server/settings/own-address.ts'
import { showWallet } from './list-wallets.ts'
import { canonicalAddress } from './signature.ts'
import {
  claimAddress,
  connectWallet,
  countOtherWallets,
  lockNonce,
  lockWalletsOf,
  markNonceUsed,
  type NewWallet,
  type StoredNonce,
  type StoredWallet,
} from './store.ts'

/** Consumes the nonce before any other check, so that a failed attempt needs a new one. */
export const verifyWallet: Handler<'verifyWallet'> = async (context, { userId, body, client }) => {
  const { config, chain, now, newId } = context
  const { message, signature, walletType } = body
  const claimed = canonicalAddress(body.walletAddress)
  if (claimed === undefined) throw new Refusal('wallet-address-invalid', { field: 'walletAddress' })
  const fields = readOwnershipMessage(message)
  if (!fields) throw new Refusal('wallet-message-invalid', { field: 'message' })
  const issued = await useNonce(context, { userId, nonce: fields.nonce })
  const chainId = issued.chainId === null ? body.chainId : Number(issued.chainId)
  const address = issued.walletAddress ?? claimed
  if (address !== claimed) throw new Refusal('wallet-message-invalid', { field: 'walletAddress' })
  if (chainId !== body.chainId) throw new Refusal('wallet-message-invalid', { field: 'chainId' })
  checkOwnershipMessage(message, { ...siteOf(config, client), ...issued, address, chainId })
  if (!(await chain.verifySignature({ address, message, signature, chainId })))
    throw new Refusal('wallet-signature-invalid', { field: 'signature' })
  const names = { walletType, chainName: chainName(chainId) }
  return showWallet(
    await link(context, {
      id: newId(),
      userId,
      walletAddress: address,
      chainId,
      ...names,
      connectedAt: now(),
    }),
  )
}

function useNonce(
  { atomically, now }: Context,
  { userId, nonce }: { userId: string; nonce: string },
): Promise<StoredNonce> {
  return atomically(async ({ sql }) => {
    const issued = checkNonce(await lockNonce(sql, { userId, nonce }), now())
    await markNonceUsed(sql, { userId, nonce, at: now() })
    return issued
  })
}

function link({ atomically, newId }: Context, wallet: NewWallet): Promise<StoredWallet> {
  const { userId, walletAddress, chainName } = wallet
  return atomically(async (tx) => {
    await lockWalletsOf(tx.sql, userId)
    checkCount('too-many-wallets', await countOtherWallets(tx.sql, { userId, walletAddress }))
    if (!(await claimAddress(tx.sql, { userId, walletAddress })))
      throw new Refusal('wallet-linked-elsewhere')
    const linked = required(await connectWallet(tx.sql, wallet), 'an upsert returns its row')
    const details = { address: walletAddress, chain: chainName }
    await auditUser({ newId }, tx, { userId, action: 'wallet.link', subject: linked.id, details })
    return linked
  })
}
