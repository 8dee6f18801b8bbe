import type { Handler } from '#server/action.ts'
import { disownAccount } from '#server/auth/disown.ts'
import { lockCash } from '#server/ledger/read.ts'
import { actWithin } from './act-on-withdrawal.ts'
import { restoreBankAccounts } from './bank-account-store.ts'
import { forgetLooserProtections } from './protection-store.ts'
import { findUnsentSince } from './store.ts'

/** 'This was not me' also cancels the withdrawals that were requested since the message and are not sent, and takes back changes of bank accounts. */
export const disown: Handler<'disown'> = async (context, call) =>
  disownAccount(context, call, async (tx, { userId, since }) => {
    // A request that is just being made is seen here, or finds withdrawals locked.
    await lockCash(tx, userId)
    for (const id of await findUnsentSince(tx, { userId, since })) await actWithin(context, tx, { userId, id, action: 'disown', actor: `user:${userId}` })
    await restoreBankAccounts(tx, { userId, since })
    await forgetLooserProtections(tx, userId)
  })
