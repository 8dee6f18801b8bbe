import type { Handler } from '#server/action.ts'
import { actOnWithdrawal } from './act-on-withdrawal.ts'
import { showWithdrawal } from './list-withdrawals.ts'

export const cancelWithdrawal: Handler<'cancelWithdrawal'> = async (
  context,
  { userId, params: { id } },
) =>
  showWithdrawal(
    await actOnWithdrawal(context, { id, action: 'cancel', actor: `user:${userId}`, userId }),
  )
