import { z } from 'zod'
import { byRiskLevel } from '#core/strategy/risk-level.ts'
import { PAIR_PROBLEMS, type CallRows } from './call-row.ts'
import { BacktestRequest, BacktestResult } from './backtest.ts'
import { TradeFigures } from './bots.ts'
import { Guards } from './guards.ts'
import {
  Day,
  NoFigures,
  PairSchema,
  Percent,
  RiskLevelSchema,
  StrategyKeySchema,
  Usd,
} from './wire.ts'

/** The return of one window, with its first and last day. */
const WindowReturn = z.strictObject({ percent: Percent, from: Day, to: Day })

const Ratio = z.string().regex(/^-?\d+\.\d{2}$/)
const Tenths = z.string().regex(/^\d+\.\d$/)
const Rounded = z.string().regex(/^-?\d+(\.\d{1,2})?$/)

/**
 * The same windows with the money invested in twelve equal monthly parts; uninvested parts are
 * cash.
 */
const Monthly = z.strictObject({
  median: WindowReturn,
  worst: WindowReturn,
  losingPercent: Percent,
  /** Windows that ended higher if invested at once; the percentage is rounded down. */
  onceHigher: z.int(),
  onceHigherPercent: Percent,
})
export type Monthly = z.infer<typeof Monthly>

export const Distribution = z.strictObject({
  median: WindowReturn,
  worst: WindowReturn,
  best: WindowReturn,
  /** First and ninth decile of the windows. */
  lower: WindowReturn,
  upper: WindowReturn,
  /** Windows that lost money; the percentage is rounded up. */
  losing: z.int(),
  losingPercent: Percent,
  /** Maximum drawdown over the whole period. */
  deepestFall: Percent,
  /** Windows that beat 3-month US Treasury bills, rounded down; null without rates. */
  beatsCash: z.strictObject({ percent: Percent, windows: z.int() }).nullable(),
  monthly: Monthly,
})

/**
 * How far a result can be distinguished from chance (decision 051). Probabilities are rounded
 * against the strategy.
 */
const Luck = z.strictObject({
  isDistinguishable: z.boolean(),
  /** Sharpe ratio a year, above `cash` (percent a year). */
  sharpe: Ratio,
  cash: Percent,
  heldSharpe: Ratio,
  /** Deflated Sharpe ratio: probability of beating the best of `trials` settings without skill. */
  deflated: Percent,
  /** The same probability, if those settings were as good as holding. */
  aboveHolding: Percent,
  /** Probability of backtest overfitting (CSCV); null without a choice among settings. */
  overfitting: Percent.nullable(),
  trials: z.int(),
  /** Years of history, equal to the number of twelve-month windows that do not overlap. */
  years: Tenths,
  /** In a shorter history, the best of `trials` settings without skill would look as good. */
  minimumYears: Tenths.nullable(),
  /** Range of nine tenths of the resampled twelve-month returns (stationary bootstrap). */
  band: z.strictObject({ low: Percent, high: Percent, blockDays: z.int() }),
})
export type Luck = z.infer<typeof Luck>

export const LevelEvidence = Distribution.extend({
  riskLevel: RiskLevelSchema,
  /** Percent a year. */
  target: z.strictObject({ from: z.int(), to: z.int() }),
  /** Windows that gained at least `target.from`; the percentage is rounded down. */
  reached: z.int(),
  reachedPercent: Percent,
  luck: Luck,
})
export type LevelEvidence = z.infer<typeof LevelEvidence>

/** Hold and balanced strategies have no target. */
export const StrategyEvidence = Distribution.extend({ strategy: StrategyKeySchema })
export type StrategyEvidence = z.infer<typeof StrategyEvidence>

/** Returns of windows every `stepDays`, from the start of the period. */
const Timeline = z.strictObject({
  stepDays: z.int(),
  ...byRiskLevel(() => z.array(Percent)),
})

/** `sharpe`: with a cash rate of 0; null if the source states none. */
const HoldoutFigures = z.strictObject({
  percent: Rounded,
  sharpe: Rounded.nullable(),
  fall: Rounded,
})

/**
 * Results on candles that no setting was chosen on. `percent`: yearly gain for 'pairs', total gain
 * for 'after'.
 */
const HoldoutResult = z.strictObject({
  kind: z.enum(['pairs', 'after']),
  from: Day,
  to: Day,
  pairs: z.int(),
  /** Costs of one side that the source assumed, the closest to this installation's. */
  costs: Percent,
  levels: z.strictObject(byRiskLevel(() => HoldoutFigures)),
  /** Holding the same pairs in equal parts. */
  held: HoldoutFigures,
  /** Percentage of windows that reached the target; null if no window fits. */
  reached: z
    .strictObject({ costs: Percent, levels: z.strictObject(byRiskLevel(() => Rounded)) })
    .nullable(),
  source: z.string(),
})
export type HoldoutResult = z.infer<typeof HoldoutResult>

export const EvidenceFigures = z.strictObject({
  windows: z.int(),
  windowDays: z.int(),
  from: Day,
  to: Day,
  /** Pairs that are in at least one window. */
  pairs: z.array(PairSchema),
  /** By pair with candles: first and last day, and number of windows. */
  coverage: z.array(z.strictObject({ pair: PairSchema, from: Day, to: Day, windows: z.int() })),
  invested: Usd,
  /** Mean yearly rate of 3-month US Treasury bills; null if a month is unknown. */
  cash: Percent.nullable(),
  /**
   * `aSide`: cost of one purchase or sale, the sum of the three fields before it. `holdFee`: the
   * platform fee of hold bots.
   */
  costs: z.strictObject({
    tradingFee: Percent,
    halfSpread: Percent,
    slippage: Percent,
    aSide: Percent,
    platformFee: Percent,
    holdFee: Percent,
    cashYield: Percent,
  }),
  levels: z.array(LevelEvidence),
  /** Hold and balanced bots, after their own fees. */
  others: z.array(StrategyEvidence),
  buyAndHold: Distribution,
  timeline: Timeline,
  /** The candles on which the rules were chosen. */
  chosenOn: z.strictObject({ pairs: z.array(PairSchema), until: Day }),
  holdout: z.array(HoldoutResult),
  /**
   * SHA-256 over the candles, one per line: pair, open time in milliseconds, then open, high, low
   * and close in units.
   */
  dataHash: z.string(),
  /** Version of the product and first digits of the rules' hash. */
  engineVersion: z.string(),
})
export type EvidenceFigures = z.infer<typeof EvidenceFigures>

/**
 * Hypothetical returns in all windows of twelve months. `note` and `source`: origin of the prices,
 * if they are not from the market that bots trade on.
 */
export const Evidence = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('figures'),
    feedLabel: z.string(),
    disclaimer: z.string(),
    note: z.string().nullable(),
    source: z.string().nullable(),
    figures: EvidenceFigures,
  }),
  NoFigures.extend({ feedLabel: z.string(), disclaimer: z.string() }),
])
export type Evidence = z.infer<typeof Evidence>

/** A standard guard in all windows, compared with the same bots without it. */
const GuardRow = z.strictObject({
  guards: Guards,
  /** Median difference of returns in percentage points; negative if the guard cost money. */
  medianPoints: Percent,
  /** Percentage of windows, rounded down. */
  betterPercent: Percent,
  /** Percentage of windows, rounded up. */
  worsePercent: Percent,
  reachedPercent: Percent,
  /** Largest fall within any window. */
  fall: Percent,
  fallWithout: Percent,
})
export type GuardRow = z.infer<typeof GuardRow>

export const GuardFigures = z.strictObject({
  hypothetical: z.literal(true),
  windows: z.int(),
  from: Day,
  to: Day,
  strategies: z.array(z.strictObject({ strategy: StrategyKeySchema, rows: z.array(GuardRow) })),
})
export type GuardFigures = z.infer<typeof GuardFigures>

/** Names the market of the prices; null for the market that bots trade on. */
const Prices = z.string().nullable()

export const GuardEvidence = z.discriminatedUnion('state', [
  GuardFigures.extend({ state: z.literal('figures'), prices: Prices }),
  NoFigures,
])
export type GuardEvidence = z.infer<typeof GuardEvidence>

/** Three figures of each level, shown beside a claim of returns. */
export const EvidenceSummary = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('figures'),
    hypothetical: z.literal(true),
    prices: Prices,
    levels: z.array(
      z.strictObject({
        riskLevel: RiskLevelSchema,
        median: Percent,
        worst: Percent,
        losingPercent: Percent,
      }),
    ),
    /** Outcomes of the bot suggested to a new user; null if the figures are of other coins. */
    firstBot: z.strictObject({ worst: Percent, median: Percent, best: Percent }).nullable(),
  }),
  NoFigures,
])
export type EvidenceSummary = z.infer<typeof EvidenceSummary>

export const BotEvidenceRequest = BacktestRequest.pick({
  strategy: true,
  riskLevel: true,
  tradingPairs: true,
})

/** Evidence of a bot's own strategy and pairs. `missing`: pairs without enough recorded prices. */
export const BotEvidence = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('figures'),
    hypothetical: z.literal(true),
    prices: Prices,
    windows: z.int(),
    from: Day,
    to: Day,
    pairs: z.array(PairSchema),
    missing: z.array(PairSchema),
    ...Distribution.pick({
      median: true,
      worst: true,
      best: true,
      losingPercent: true,
      deepestFall: true,
      beatsCash: true,
      monthly: true,
    }).shape,
  }),
  NoFigures,
])
export type BotEvidence = z.infer<typeof BotEvidence>
export type BotEvidenceFigures = Omit<
  Extract<BotEvidence, { state: 'figures' }>,
  'state' | 'prices' | 'missing'
>

/** A bot without an owner, replayed over the last months, with its latest trades. */
export const SampleBot = BacktestResult.pick({
  hypothetical: true,
  disclaimer: true,
  feedLabel: true,
  from: true,
  to: true,
  invested: true,
  netResult: true,
  returnPercent: true,
  equityCurve: true,
  buyAndHoldCurve: true,
}).extend({
  riskLevel: RiskLevelSchema,
  tradingPairs: z.array(PairSchema),
  trades: z.array(
    TradeFigures.pick({
      tradingPair: true,
      side: true,
      amount: true,
      reason: true,
      marketTime: true,
    }),
  ),
})
export type SampleBot = z.infer<typeof SampleBot>

export const evidenceCalls = {
  getEvidence: {
    summary: 'Past results of every strategy, hypothetical',
    access: 'public',
    keys: 'read',
    response: Evidence,
  },
  getGuardEvidence: {
    summary: 'Past results with guards, hypothetical',
    access: 'public',
    keys: 'read',
    response: GuardEvidence,
  },
  getEvidenceSummary: {
    summary: 'The main figures of the past results',
    access: 'public',
    keys: 'read',
    response: EvidenceSummary,
  },
  runBotEvidence: {
    summary: 'Past results of a choice of pairs, hypothetical',
    access: 'user',
    reads: true,
    body: BotEvidenceRequest,
    response: BotEvidence,
    problems: PAIR_PROBLEMS,
  },
  getSampleBot: {
    summary: 'A bot without an owner, as an example',
    access: 'public',
    keys: 'read',
    response: SampleBot,
  },
} satisfies CallRows
