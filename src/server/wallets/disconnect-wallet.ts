import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { auditUser } from '#server/security/audit.ts'
import { showWallet } from './list-wallets.ts'
import { findWallet, lockWalletsOf, markDisconnected, releaseAddress } from './store.ts'

/** Idempotent. */
export const disconnectWallet: Handler<'disconnectWallet'> = async (
  { atomically, now, newId },
  { userId, params: { id } },
) =>
  atomically(async (tx) => {
    await lockWalletsOf(tx.sql, userId)
    const isNew = await markDisconnected(tx.sql, { userId, id, at: now() })
    const wallet = await findWallet(tx.sql, { userId, id })
    if (!wallet) throw new Refusal('not-found')
    if (isNew) {
      await releaseAddress(tx.sql, { userId, walletAddress: wallet.walletAddress })
      await auditUser({ newId }, tx, { userId, action: 'wallet.disconnect', subject: id })
    }
    return showWallet(wallet)
  })
