import { obstaclesOf } from '#core/auth/closing.ts'
import { required } from '#core/assert.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Handler } from '#server/action.ts'
import { findClosing } from './store.ts'

/** Obstacles to closing the account. A payment only begun is no obstacle: closing ends it. */
export const getClosing: Handler<'getClosing'> = async ({ sql }, { userId }) => {
  const closing = required(await findClosing(sql, userId), 'a session has its user')
  return {
    obstacles: obstaclesOf({ ...closing, payments: 0 }),
    cash: unitsToDecimal(closing.cash, 2),
  }
}
