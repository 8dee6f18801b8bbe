import { z } from 'zod'
import { PAIRS } from '#core/market/pair.ts'
import { TYPED_AMOUNT } from '#core/money/text.ts'
import { isOneLine, ONE_LINE_SENTENCE, tidyName } from '#core/one-line.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { STRATEGIES, STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { WAIT_REASONS } from '#core/trading/wait.ts'
import { PROBLEMS, sentenceOf } from './problem.ts'
import { FIRST_RANGE, RANGES } from './query-values.ts'

export const ProofMethod = z.enum(['password', 'passkey', 'authenticator', 'recovery-code'])
export type ProofMethod = z.infer<typeof ProofMethod>

/**
 * Body of every error response. `message`: the sentence to show; `field`: the input at fault;
 * `methods`: accepted kinds of proof if the request lacks one.
 */
export const Problem = z.strictObject({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  methods: z.array(ProofMethod).optional(),
})
export type Problem = z.infer<typeof Problem>

/** Refuses a missing text with one sentence. Its other faults have sentences of their own. */
export const RequiredText = z.string({
  error: ({ code }) => (code === 'invalid_type' ? PROBLEMS.required.message : undefined),
})

/** Trimmed, because phones and password managers add blanks. Not for passwords. */
export const TypedText = RequiredText.trim()

/** A name as stored. The field's minimum length must refuse empty names. */
export const Name = RequiredText.overwrite(tidyName).refine(
  (name) => name === '' || isOneLine(name),
  ONE_LINE_SENTENCE,
)

export const atMost = (maximum: number, text: typeof RequiredText) =>
  text.max(maximum, {
    error: () => sentenceOf({ code: 'text-too-long', values: { maximum: String(maximum) } }),
  })

export const wholeNumber = ({ least, most }: { least: number; most: number }, sentence: string) =>
  z.number(sentence).int(sentence).min(least, sentence).max(most, sentence)

/** Two decimals, possibly negative. */
export const Usd = z.string().regex(/^-?\d+\.\d{2}$/)

/** Quantities and prices, with up to eight decimals. */
export const Decimal = z.string().regex(/^-?\d+(\.\d{1,8})?$/)

/** Two decimals and a plain minus: '-0.62'; the printer adds sign and arrow. */
export const Percent = z.string().regex(/^-?\d+\.\d{2}$/)

/**
 * Read at one moment. Cash, holds and each bot are floored to cents; other figures are sums of
 * these.
 */
export const Balances = z.strictObject({
  /** The sum of the other balances. */
  totalBalance: Usd,
  /** Cash. */
  availableBalance: Usd,
  /** Money of open withdrawals. */
  heldBalance: Usd,
  /** All bots at the last price. */
  investedBalance: Usd,
})
export type Balances = z.infer<typeof Balances>

export const Timestamp = z.iso.datetime()
/** In UTC: '2024-05-31'. */
export const Day = z.iso.date()
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

/** Coins of a pair that cannot be sold. `since`: market time. */
export const WaitingPair = z.strictObject({
  pair: PairSchema,
  reason: z.enum(WAIT_REASONS),
  since: Timestamp,
})
export type WaitingPair = z.infer<typeof WaitingPair>

export const RiskLevelSchema = z.enum(RISK_LEVELS)

export const SideSchema = z.enum(['buy', 'sell'])

/** Hold bots have a single risk level, 'aggressive'. */
export const StrategySchema = z.enum(STRATEGIES)

/** 'trend-moderate', 'hold'. */
export const StrategyKeySchema = z.enum(STRATEGY_KEYS)

/** `at`: market time. */
export const CurvePoint = z.strictObject({ at: Timestamp, value: Usd })
export type CurvePoint = z.infer<typeof CurvePoint>

/** Growth since the start of a comparison. `at`: market time. */
export const GrowthPoint = z.strictObject({ at: Timestamp, percent: Percent })

export const CursorQuery = z.strictObject({ cursor: z.string().max(200).optional() })
export const RangeQuery = z.strictObject({ range: z.enum(RANGES).default(FIRST_RANGE) })

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), nextCursor: z.string().nullable() })

/** The reason why figures are missing or not ready yet. */
export const NoFigures = z.strictObject({
  state: z.enum(['none', 'computing']),
  sentence: z.string(),
})
