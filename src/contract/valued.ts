import type { HeldPools } from './holdings.ts'
import type { CallName } from './routes.ts'
import type { ResponseOf } from './schemas.ts'

/**
 * A call whose answer holds the worth of bots, and the pools that the worth follows from: it moves
 * with the prices between two answers.
 */
export type ValuedName = {
  [Name in CallName]: ResponseOf<Name> extends { pools: HeldPools } ? Name : never
}[CallName]

const ALL: Record<ValuedName, true> = { getPortfolio: true, getBotPerformance: true }

export const VALUED = Object.keys(ALL) as readonly ValuedName[]
