import { ONE, type Units } from '#core/money/amount.ts'
import { MINIMUM_WITHDRAWAL } from '#core/withdrawals/withdrawal.ts'

/** `rest`: cash below the minimum withdrawal. */
export const OBSTACLES = ['bots', 'withdrawals', 'payments', 'debt', 'cash', 'rest'] as const
export type Obstacle = (typeof OBSTACLES)[number]

const CENT: Units = ONE / 100n

export type ClosingAccount = {
  bots: number
  withdrawals: number
  payments: number
  cash: Units
  owed: Units
}

/** Obstacles in the order in which the user must remove them. Less than a cent is no obstacle. */
export function obstaclesOf({
  bots,
  withdrawals,
  payments,
  cash,
  owed,
}: ClosingAccount): Obstacle[] {
  const isThere: Record<Obstacle, boolean> = {
    bots: bots > 0,
    withdrawals: withdrawals > 0,
    payments: payments > 0,
    debt: owed > 0n,
    cash: cash >= MINIMUM_WITHDRAWAL,
    rest: cash >= CENT && cash < MINIMUM_WITHDRAWAL,
  }
  return OBSTACLES.filter((obstacle) => isThere[obstacle])
}
