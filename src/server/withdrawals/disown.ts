import { restoredProtections } from '#core/withdrawals/protections.ts'
import type { Handler } from '#server/action.ts'
import { disownAccount, type Unconfirmed } from '#server/auth/disown-account.ts'
import type { Queries } from '#server/db/statement.ts'
import { lockCash } from '#server/ledger/read.ts'
import { actWithin } from './act-on-withdrawal.ts'
import { restoreBankAccounts } from './bank-account-store.ts'
import { findProtections, findProtectionsBefore, storeProtections } from './protection-store.ts'
import { findUnsentSince } from './store.ts'

/**
 * 'This was not me' also cancels unsent withdrawals of that time, and takes back changes of bank
 * accounts and protections.
 */
export const disown: Handler<'disown'> = async (context, call) =>
  disownAccount(context, call, async (tx, { userId, since, address }) => {
    // A withdrawal requested at the same moment is either canceled below or refused, because
    // withdrawals are locked.
    await lockCash(tx.sql, userId)
    for (const { id } of await findUnsentSince(tx.sql, { userId, since }))
      await actWithin(context, tx, { userId, id, action: 'disown', actor: `user:${userId}` })
    await restoreBankAccounts(tx.sql, { userId, since })
    await restoreProtections(tx.sql, { userId, since, address })
  })

/**
 * Of each protection's earlier and present value, the stricter one is kept, so that a press loosens
 * nothing.
 */
async function restoreProtections(tx: Queries, { userId, since }: Unconfirmed): Promise<void> {
  const before = await findProtectionsBefore(tx, { userId, since })
  if (before)
    await storeProtections(tx, {
      userId,
      now: restoredProtections({ before, present: await findProtections(tx, userId) }),
      later: undefined,
    })
}
