import type { Context } from '#server/context.ts'
import { findOpenWithdrawals } from './store.ts'

/** Every open withdrawal of every user, oldest first: an operator's view. */
export const listOpenWithdrawals = ({ sql }: Context) => findOpenWithdrawals(sql)
