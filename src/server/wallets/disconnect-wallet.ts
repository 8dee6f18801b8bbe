import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { writeAudit } from '#server/audit.ts'
import { atomically } from '#server/db/atomically.ts'
import { showWallet } from './list-wallets.ts'
import { findWallet, lockWalletsOf, markDisconnected, releaseAddress } from './store.ts'

/** Idempotent: a disconnected wallet stays unchanged. */
export const disconnectWallet: Handler<'disconnectWallet'> = async (
  { sql, now, newId },
  { userId, params: { id } },
) =>
  atomically(sql, async (tx) => {
    await lockWalletsOf(tx, userId)
    const isNew = await markDisconnected(tx, { userId, id, at: now() })
    const wallet = await findWallet(tx, { userId, id })
    if (!wallet) throw new Refusal('not-found')
    if (isNew) {
      await releaseAddress(tx, { userId, walletAddress: wallet.walletAddress })
      await writeAudit(tx, {
        id: newId(),
        actor: `user:${userId}`,
        action: 'wallet.disconnect',
        subject: id,
        details: {},
      })
    }
    return showWallet(wallet)
  })
