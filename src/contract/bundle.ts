import { z } from 'zod'
import { STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { Monthly } from './evidence.ts'
import { PROBLEMS } from './problem.ts'
import { amountInput, PairSchema, Percent, RiskLevelSchema } from './wire.ts'

const Strategy = z.enum(STRATEGY_KEYS as [StrategyKey, ...StrategyKey[]])

/** Enough for years of twelve pairs. A file with more is none of ours. */
const MOST_CANDLES = 400_000
const MOST_TRADES = 100_000
const MOST_WINDOWS = 20_000

const Text = z.string().max(1_000)
const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Bps = z.number().int().min(0).max(5_000)
const Units = z.string().regex(/^-?\d{1,11}\.\d{8}$/)
const Money = z.string().regex(/^-?\d{1,11}\.\d{2}$/)
const Day = z.iso.date()
/** A whole hour. */
const Hour = z.iso
  .datetime()
  .refine((text) => Date.parse(text) >= 0 && Date.parse(text) % 3_600_000 === 0)

/**
 * The candles of a pair: the hash is SHA-256 over a line for each, as on the evidence page. `seed`:
 * of a simulated market, else null.
 */
const BundleCandles = z.strictObject({
  pair: PairSchema,
  count: z.number().int().min(1).max(MOST_CANDLES),
  first: Hour,
  last: Hour,
  sha256: Hash,
  exchange: Text,
  source: Text,
  licence: Text,
  seed: z.number().int().nullable(),
})
export type BundleCandles = z.infer<typeof BundleCandles>

/** The strategy's setting; lookbacks and half-life in candles. */
const Preset = z.strictObject({
  targetVolatility: z.number(),
  lookbacks: z.array(z.number().int()).max(10),
  volatilityHalfLife: z.number(),
  stop: z.enum(['middle', 'low']),
  bandBps: z.number().int(),
})

const Configuration = z.strictObject({
  strategy: Strategy,
  riskLevel: RiskLevelSchema,
  /** Of a bot that follows trends. */
  preset: Preset.nullable(),
  /** Of a balanced bot: its part in coins, and how far that may drift. */
  balance: z.strictObject({ percent: z.number(), driftBps: z.number().int() }).nullable(),
  pairs: z.array(PairSchema).min(1).max(12),
  invested: Units.refine((text) => !text.startsWith('-')),
  costsBps: z.strictObject({ fee: Bps, halfSpread: Bps, slippage: Bps }),
  platformFeeBps: Bps,
  /** Yearly interest on idle cash. */
  cashYieldBps: Bps,
})

const WindowOutcome = z.strictObject({ percent: Percent, from: Day, to: Day })

/**
 * Every window of twelve months, with its first day, its value at the start and at the end, and
 * that of cash at the end: see `cashRates`; `monthlyEnd` with the money in monthly parts.
 */
const Windows = z.strictObject({
  kind: z.literal('windows'),
  /** The file of yearly rates that cash earned: its source, and SHA-256 over its bytes. */
  cashRates: z.strictObject({ source: Text, sha256: Hash }),
  from: Day,
  to: Day,
  figures: z.strictObject({
    windows: z.number().int(),
    windowDays: z.number().int(),
    median: WindowOutcome,
    worst: WindowOutcome,
    best: WindowOutcome,
    lower: WindowOutcome,
    upper: WindowOutcome,
    losing: z.number().int(),
    losingPercent: Percent,
    deepestFall: Percent,
    /**
     * The share of windows that ended with more than cash, and of how many; null where its rates
     * are not known.
     */
    beatsCash: z.strictObject({ percent: Percent, windows: z.number().int() }).nullable(),
    monthly: Monthly,
    /** Windows that gained at least the target, in percent; null where there is none. */
    targetPercent: z.number().int().nullable(),
    reached: z.number().int(),
  }),
  windows: z
    .array(
      z.strictObject({
        from: Day,
        start: Units,
        end: Units,
        monthlyEnd: Units,
        cash: Units.nullable(),
      }),
    )
    .min(1)
    .max(MOST_WINDOWS),
})

const Trade = z.strictObject({
  at: Hour,
  pair: PairSchema,
  side: z.enum(['buy', 'sell']),
  exposurePercent: z.number(),
  quantity: Units,
  price: Units,
  notional: Units,
  venueFee: Units,
  profit: Units,
  reason: Text,
})

/** One bot between two times, with every trade. */
const Backtest = z.strictObject({
  kind: z.literal('backtest'),
  from: Hour,
  to: Hour,
  figures: z.strictObject({
    equity: Units,
    netResult: Money,
    returnPercent: Percent,
    venueFees: Money,
    platformFees: Money,
    maxDrawdown: Percent,
    sharpe: z.string().max(20).nullable(),
    buyAndHoldResult: Money,
    tradeCount: z.number().int(),
  }),
  trades: z.array(Trade).max(MOST_TRADES),
})

/**
 * The file behind a percentage of past results: all that is needed to compute it again, and what
 * comes out. The same result has the same bytes. `npm run verify` checks it
 * (docs/decisions/056-bundles.md).
 */
export const Bundle = z.strictObject({
  format: z.literal('bundle 1'),
  hypothetical: z.literal(true),
  note: Text,
  check: Text,
  candles: z.array(BundleCandles).min(1).max(12),
  configuration: Configuration,
  result: z.discriminatedUnion('kind', [Windows, Backtest]),
  /**
   * `sha256`: of the source of the rules in `folders`, file by file in the order of their names;
   * the version ends with its beginning.
   */
  engine: z.strictObject({
    version: z.string().max(100),
    sha256: Hash,
    folders: z.array(Text).max(20),
  }),
})
export type Bundle = z.infer<typeof Bundle>

export const EvidenceBundleQuery = z.strictObject({ strategy: Strategy })

/** `pairs`: separated by commas. */
export const BotBundleQuery = EvidenceBundleQuery.extend({ pairs: z.string().min(1).max(200) })

/** The backtest of the last `days` before `until`, market time. */
export const BacktestBundleQuery = BotBundleQuery.extend({
  amount: amountInput(PROBLEMS['bot-amount-invalid'].message),
  days: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .refine((text) => Number(text) <= 1_095),
  until: Hour,
})
export type BacktestBundleQuery = z.infer<typeof BacktestBundleQuery>
