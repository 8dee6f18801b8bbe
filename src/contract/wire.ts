import { z } from 'zod'
import { PAIRS } from '#core/market/pair.ts'
import { TYPED_AMOUNT } from '#core/money/text.ts'
import { isOneLine, ONE_LINE_SENTENCE, tidyName } from '#core/one-line.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { STRATEGIES, STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { PROBLEMS } from './problem.ts'

/** Ways in which people prove who they are. */
export const ProofMethod = z.enum(['password', 'passkey', 'authenticator', 'recovery-code'])
export type ProofMethod = z.infer<typeof ProofMethod>

/**
 * The body of every error response. `message` is for people; `field` names the input at fault;
 * `methods` are the ways to prove who asks, where that is what the request lacks.
 */
export const Problem = z.strictObject({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  methods: z.array(ProofMethod).optional(),
})
export type Problem = z.infer<typeof Problem>

/**
 * A text that people type, without surrounding blanks: phones and password managers add one after a
 * word. Passwords keep theirs.
 */
export const TypedText = z.string(PROBLEMS.required.message).trim()

/**
 * A name as typed, in composed characters and without surrounding blanks. The empty name is left to
 * the lengths of its field.
 */
export const Name = z
  .string(PROBLEMS.required.message)
  .overwrite(tidyName)
  .refine((name) => name === '' || isOneLine(name), ONE_LINE_SENTENCE)

/** USD: a string with two decimals, possibly negative. */
export const Usd = z.string().regex(/^-?\d+\.\d{2}$/)

/** Quantities and prices: a string with up to eight decimals. */
export const Decimal = z.string().regex(/^-?\d+(\.\d{1,8})?$/)

/**
 * A percentage with two decimals and a plain minus, such as '-0.62'; the printer adds sign and
 * arrow.
 */
export const Percent = z.string().regex(/^-?\d+\.\d{2}$/)

/**
 * Everything that a user owns, at one moment, with bots at the last price. Cash, holds and each bot
 * are floored to cents; the rest are their sums.
 */
export const Balances = z.strictObject({
  /** Cash, held withdrawals and the value of all bots. */
  totalBalance: Usd,
  /** Cash that can be withdrawn or invested at once. */
  availableBalance: Usd,
  /** Cash held for open withdrawals. */
  heldBalance: Usd,
  /** The value of all bots. */
  investedBalance: Usd,
})
export type Balances = z.infer<typeof Balances>

export const Timestamp = z.iso.datetime()
export const Id = z.uuid()
export const IdParams = z.strictObject({ id: z.string().max(100) })
export const Nothing = z.strictObject({})

/**
 * An amount of USD as typed, or a JSON number that prints the same. Anything else (`1e9`, ' 10',
 * '10.001', '٠١٠') is refused with `sentence`.
 */
export const amountInput = (sentence: string | (() => string)) => {
  const error = typeof sentence === 'string' ? sentence : () => sentence()
  return z
    .union([z.string(), z.number().transform(String)], { error })
    .pipe(z.string().regex(TYPED_AMOUNT, { error }))
}

export const PairSchema = z.enum(PAIRS as [(typeof PAIRS)[number], ...(typeof PAIRS)[number][]])
export const RiskLevelSchema = z.enum(RISK_LEVELS)

/** A kind of bot. One that holds has a single risk level, 'aggressive'. */
export const StrategySchema = z.enum(STRATEGIES)

/** A kind of bot and its risk level in one word, such as 'trend-moderate' or 'hold'. */
export const StrategyKeySchema = z.enum(STRATEGY_KEYS)

/** One point of a curve: market time and USD. */
export const CurvePoint = z.strictObject({ at: Timestamp, value: Usd })
export type CurvePoint = z.infer<typeof CurvePoint>

export const CursorQuery = z.strictObject({ cursor: z.string().max(200).optional() })
