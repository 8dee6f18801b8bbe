import { z } from 'zod'
import { PAIRS } from '#core/market/pair.ts'
import { isOneLine } from '#core/one-line.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'

/** A name that a person types, without surrounding blanks. */
export const Name = z.string('Required').trim().refine(isOneLine, 'Use visible characters on one line')

/** USD on the wire: a string with two decimals, possibly negative. */
export const Usd = z.string().regex(/^-?\d+\.\d{2}$/)

/** Quantities and prices on the wire: a string with up to eight decimals. */
export const Decimal = z.string().regex(/^-?\d+(\.\d{1,8})?$/)

/** A percentage with two decimals and a plain minus, such as '-0.62'; the printer adds sign and arrow. */
export const Percent = z.string().regex(/^-?\d+\.\d{2}$/)

/** What a user owns, at one moment, bots at the last price. Each figure is floored to cents on its own. */
export const Balances = z.strictObject({
  /** Cash, held withdrawals and what all bots are worth. */
  totalBalance: Usd,
  /** Cash that can be withdrawn or invested at once. */
  availableBalance: Usd,
  /** Cash held for open withdrawals. */
  heldBalance: Usd,
  /** What all bots are worth. */
  investedBalance: Usd,
})
export type Balances = z.infer<typeof Balances>

export const Timestamp = z.iso.datetime()
export const Id = z.uuid()
export const IdParams = z.strictObject({ id: z.string().max(100) })
export const Nothing = z.strictObject({})

/**
 * An amount of USD as a person types it: `^\d{1,8}(\.\d{1,2})?$`, or a JSON number that prints so.
 * Everything else (`1e9`, ' 10', '10.001', '٠١٠') is refused with the field's name and `sentence`.
 */
export const amountInput = (sentence: string) =>
  z.union([z.string(), z.number().transform(String)], sentence).pipe(z.string().regex(/^\d{1,8}(\.\d{1,2})?$/, sentence))

export const PairSchema = z.enum(PAIRS as [(typeof PAIRS)[number], ...(typeof PAIRS)[number][]])
export const RiskLevelSchema = z.enum(RISK_LEVELS)

/** One point of a curve: market time and USD. */
export const CurvePoint = z.strictObject({ at: Timestamp, value: Usd })
export type CurvePoint = z.infer<typeof CurvePoint>

export const CursorQuery = z.strictObject({ cursor: z.string().max(200).optional() })
