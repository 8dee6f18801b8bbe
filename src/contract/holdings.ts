import { z } from 'zod'
import { Decimal, PairSchema } from './wire.ts'

/** Units of a pool: a whole number of up to 38 digits. */
const PoolUnits = z.string().regex(/^\d{1,38}$/)

/**
 * From these and the pools that its sleeves name, a bot's worth follows at any price:
 * `src/core/bots/bot-worth.ts`.
 */
export const BotHoldings = z.strictObject({
  /** To the unit, as the closing fee needs it. */
  invested: Decimal,
  /** Everything outside of pools: own cash, and money on its way in and out. */
  cash: Decimal,
  /**
   * Units by the id of their pool, with coins of that pair held outside of it. Sleeves that hold
   * neither are left out.
   */
  sleeves: z.record(z.string(), z.strictObject({ units: PoolUnits, base: Decimal.optional() })),
})
export type BotHoldings = z.infer<typeof BotHoldings>

/**
 * A pool after change `number` of its journal: of two states the one with the higher number is
 * newer.
 */
const PoolState = z.strictObject({
  number: z.number().int(),
  cash: Decimal,
  base: Decimal,
  units: PoolUnits,
})
export type PoolState = z.infer<typeof PoolState>

/** States of pools by id, as the event `pools` carries them. */
export type PoolStates = Record<string, PoolState>

/** The pools of bots, by id. */
export const HeldPools = z.record(z.string(), PoolState.extend({ pair: PairSchema }))
export type HeldPools = z.infer<typeof HeldPools>
