import { z } from 'zod'
import { Decimal, PairSchema } from './wire.ts'

const PoolUnits = z.string().regex(/^\d{1,38}$/)

/**
 * A bot's holdings. With the states of its pools, `src/core/bots/bot-worth.ts` computes its worth
 * at any price.
 */
export const BotHoldings = z.strictObject({
  /** Exact, because the closing fee is computed from it. */
  invested: Decimal,
  /** Own cash, and money on its way into or out of the bot. */
  cash: Decimal,
  /** By pool id. `base`: coins outside of the pool. Empty sleeves are left out. */
  sleeves: z.record(z.string(), z.strictObject({ units: PoolUnits, base: Decimal.optional() })),
})
export type BotHoldings = z.infer<typeof BotHoldings>

/** A pool's state after the change of this number in its journal. */
const PoolState = z.strictObject({
  number: z.int(),
  cash: Decimal,
  base: Decimal,
  units: PoolUnits,
})

/** By pool id, as in the event `pools`. */
export type PoolStates = Record<string, z.infer<typeof PoolState>>

export const HeldPools = z.record(z.string(), PoolState.extend({ pair: PairSchema }))
export type HeldPools = z.infer<typeof HeldPools>
