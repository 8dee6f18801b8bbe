import { z } from 'zod'
import { Decimal, PairSchema } from './wire.ts'

const PoolUnits = z.string().regex(/^\d{1,38}$/)

/**
 * A bot's holdings. Together with the pools of its sleeves, they give its worth at any price:
 * `src/core/bots/bot-worth.ts`.
 */
export const BotHoldings = z.strictObject({
  /** Exact, as the closing fee needs it. */
  invested: Decimal,
  /** Own cash, and money on its way in and out. */
  cash: Decimal,
  /** By pool id. `base`: coins outside of it. Empty sleeves are left out. */
  sleeves: z.record(z.string(), z.strictObject({ units: PoolUnits, base: Decimal.optional() })),
})
export type BotHoldings = z.infer<typeof BotHoldings>

/** A pool's state after change `number` of its journal. */
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
