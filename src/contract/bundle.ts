import { z } from 'zod'
import { PAIR_PROBLEMS, AMOUNT_PROBLEMS, COUNTED, type CallRows } from './call-row.ts'
import { Distribution } from './evidence.ts'
import { PROBLEMS } from './problem.ts'
import {
  amountInput,
  Day,
  PairSchema,
  Percent,
  RiskLevelSchema,
  SideSchema,
  StrategyKeySchema,
} from './wire.ts'

/** Hours in 45 years. */
const MOST_CANDLES = 400_000
const MOST_TRADES = 100_000
const MOST_WINDOWS = 20_000

const Text = z.string().max(1_000)
const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Bps = z.int().min(0).max(5_000)
const Units = z.string().regex(/^-?\d{1,11}\.\d{8}$/)
const Money = z.string().regex(/^-?\d{1,11}\.\d{2}$/)
const Hour = z.iso
  .datetime()
  .refine((text) => Date.parse(text) >= 0 && Date.parse(text) % 3_600_000 === 0)

/**
 * `sha256`: over the pair's candles, computed like `dataHash` of the evidence. `seed`: of a
 * simulated market.
 */
const BundleCandles = z.strictObject({
  pair: PairSchema,
  count: z.int().min(1).max(MOST_CANDLES),
  first: Hour,
  last: Hour,
  sha256: Hash,
  exchange: Text,
  source: Text,
  licence: Text,
  seed: z.int().nullable(),
})
export type BundleCandles = z.infer<typeof BundleCandles>

/** Lookbacks and half-life in candles. */
const Preset = z.strictObject({
  targetVolatility: z.number(),
  lookbacks: z.array(z.int()).max(10),
  volatilityHalfLife: z.number(),
  stop: z.enum(['middle', 'low']),
  bandBps: z.int(),
})

const Configuration = z.strictObject({
  strategy: StrategyKeySchema,
  riskLevel: RiskLevelSchema,
  /** For bots that follow trends. */
  preset: Preset.nullable(),
  /** For balanced bots: percentage in coins, and the allowed drift. */
  balance: z.strictObject({ percent: z.number(), driftBps: z.int() }).nullable(),
  pairs: z.array(PairSchema).min(1).max(12),
  invested: Units.refine((text) => !text.startsWith('-')),
  costsBps: z.strictObject({ fee: Bps, halfSpread: Bps, slippage: Bps }),
  platformFeeBps: Bps,
  cashYieldBps: Bps,
})

/**
 * `cash`: final amount of the same money kept as cash at `cashRates`. `monthlyEnd`: final amount of
 * the same money invested in monthly parts.
 */
const Windows = z.strictObject({
  kind: z.literal('windows'),
  /** SHA-256 over the file of yearly rates. */
  cashRates: z.strictObject({ source: Text, sha256: Hash }),
  from: Day,
  to: Day,
  figures: z.strictObject({
    windows: z.int(),
    windowDays: z.int(),
    ...Distribution.shape,
    /**
     * `targetPercent`: null without a target. `reached`: windows that gained at least the target.
     */
    targetPercent: z.int().nullable(),
    reached: z.int(),
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
  side: SideSchema,
  exposurePercent: z.number(),
  quantity: Units,
  price: Units,
  notional: Units,
  venueFee: Units,
  profit: Units,
  reason: Text,
})

/** The backtest of one bot between two times. */
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
    tradeCount: z.int(),
  }),
  trades: z.array(Trade).max(MOST_TRADES),
})

/**
 * Input and result of a computation, which `npm run verify` repeats. Equal results have equal bytes
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
   * `sha256`: over the sources of the rules in `folders`, by file name. `version` ends with the
   * first digits of this hash.
   */
  engine: z.strictObject({
    version: z.string().max(100),
    sha256: Hash,
    folders: z.array(Text).max(20),
  }),
})
export type Bundle = z.infer<typeof Bundle>

export const EvidenceBundleQuery = z.strictObject({ strategy: StrategyKeySchema })

/** `pairs`: separated by commas. */
export const BotBundleQuery = EvidenceBundleQuery.extend({ pairs: z.string().min(1).max(200) })

/** `until`: market time. */
export const BacktestBundleQuery = BotBundleQuery.extend({
  amount: amountInput(PROBLEMS['bot-amount-invalid'].message),
  days: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .refine((text) => Number(text) <= 1_095),
  until: Hour,
})
export type BacktestBundleQuery = z.infer<typeof BacktestBundleQuery>

export const bundleCalls = {
  getEvidenceBundle: {
    summary: 'The file from which a past result can be computed again',
    access: 'public',
    writes: true,
    keys: 'read',
    query: EvidenceBundleQuery,
    response: Bundle,
    problems: ['not-found', ...COUNTED],
  },
  getBotBundle: {
    summary: 'The same file for a choice of pairs',
    access: 'user',
    writes: true,
    keys: 'read',
    query: BotBundleQuery,
    response: Bundle,
    problems: [...PAIR_PROBLEMS, 'not-found', ...COUNTED],
  },
  getBacktestBundle: {
    summary: 'The same file for a backtest',
    access: 'user',
    writes: true,
    keys: 'read',
    query: BacktestBundleQuery,
    response: Bundle,
    problems: [...PAIR_PROBLEMS, ...AMOUNT_PROBLEMS, 'not-found', ...COUNTED],
  },
} satisfies CallRows
