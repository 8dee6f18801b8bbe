import { z } from 'zod'
import { byRiskLevel } from '#core/strategy/risk-level.ts'
import { BacktestRequest, BacktestResult, Guards, TradeFigures } from './bots.ts'
import { PairSchema, Percent, RiskLevelSchema, StrategyKeySchema, Usd } from './wire.ts'

/** A day in UTC: '2024-05-31'. */
const Day = z.iso.date()

/** The return of one window, with its first and last day. */
const Outcome = z.strictObject({ percent: Percent, from: Day, to: Day })

/** One decimal or two: a ratio, a number of years, or a percentage that its source rounded. */
const Ratio = z.string().regex(/^-?\d+\.\d{2}$/)
const Tenths = z.string().regex(/^\d+\.\d$/)
const Rounded = z.string().regex(/^-?\d+(\.\d{1,2})?$/)

/**
 * The same windows with the money in twelve equal parts, one a month, beside all of it at once; the
 * rest waits as cash.
 */
export const Monthly = z.strictObject({
  median: Outcome,
  worst: Outcome,
  losingPercent: Percent,
  /**
   * The number of windows that ended higher with all of the money at once, and their share, rounded
   * down.
   */
  onceHigher: z.number().int(),
  onceHigherPercent: Percent,
})
export type Monthly = z.infer<typeof Monthly>

const Distribution = z.strictObject({
  median: Outcome,
  worst: Outcome,
  best: Outcome,
  /** A tenth of the windows returned this or less; a tenth returned `upper` or more. */
  lower: Outcome,
  upper: Outcome,
  /** The number of windows that lost money, and their share, rounded up. */
  losing: z.number().int(),
  losingPercent: Percent,
  /** Maximum drawdown over the whole period. */
  deepestFall: Percent,
  /**
   * The share of windows that ended with more than cash in 3-month US Treasury bills, rounded down,
   * and of how many; null without its rates.
   */
  beatsCash: z.strictObject({ percent: Percent, windows: z.number().int() }).nullable(),
  monthly: Monthly,
})

/**
 * How far a level's past can be distinguished from luck: the rule is in
 * docs/decisions/051-luck-printed.md. Probabilities are rounded against the level.
 */
const Luck = z.strictObject({
  isDistinguishable: z.boolean(),
  /** Sharpe ratio a year above cash, which yields `cash` percent a year. */
  sharpe: Ratio,
  cash: Percent,
  /** The Sharpe ratio of holding the same coins. */
  heldSharpe: Ratio,
  /**
   * The deflated Sharpe ratio: the probability of being better than the best of as many trials
   * without skill, or of as many as good as holding.
   */
  deflated: Percent,
  aboveHolding: Percent,
  /** Probability of backtest overfitting (CSCV). Null where nothing was chosen among settings. */
  overfitting: Percent.nullable(),
  /** The number of settings tried. */
  trials: z.number().int(),
  /**
   * Years of history, which is also the number of windows that share no day; years below which the
   * best of as many tries would look this good.
   */
  years: Tenths,
  minimumYears: Tenths.nullable(),
  /**
   * Nine tenths of twelve months would have ended between these, if the same days had come in
   * another order (stationary bootstrap).
   */
  band: z.strictObject({ low: Percent, high: Percent, blockDays: z.number().int() }),
})
export type Luck = z.infer<typeof Luck>

export const LevelEvidence = Distribution.extend({
  riskLevel: RiskLevelSchema,
  /** The level's target return, in percent a year. */
  target: z.strictObject({ from: z.number().int(), to: z.number().int() }),
  /** The number of windows that gained at least `target.from`, and their share, rounded down. */
  reached: z.number().int(),
  reachedPercent: Percent,
  luck: Luck,
})
export type LevelEvidence = z.infer<typeof LevelEvidence>

/** A strategy without a target: one that holds or balances. */
export const StrategyEvidence = Distribution.extend({ strategy: StrategyKeySchema })
export type StrategyEvidence = z.infer<typeof StrategyEvidence>

/**
 * Returns of consecutive windows, each `stepDays` after the one before; the first begins with the
 * period.
 */
const Timeline = z.strictObject({
  stepDays: z.number().int(),
  ...byRiskLevel(() => z.array(Percent)),
})

/** `sharpe`: with cash at 0; null where its source states none. */
const HoldoutFigures = z.strictObject({
  percent: Rounded,
  sharpe: Rounded.nullable(),
  fall: Rounded,
})

/**
 * Results on candles that no setting was chosen on. `percent`: gain a year for 'pairs', over the
 * whole time for 'after'; `fall`: the largest drop.
 */
const HoldoutResult = z.strictObject({
  kind: z.enum(['pairs', 'after']),
  from: Day,
  to: Day,
  pairs: z.number().int(),
  /**
   * The costs of one side that the levels were computed at, percent: of those that the source has,
   * the closest to this installation's.
   */
  costs: Percent,
  levels: z.strictObject(byRiskLevel(() => HoldoutFigures)),
  /** The same pairs held in equal parts. */
  held: HoldoutFigures,
  /**
   * The share of windows that reached the target, and the costs of one side that it was computed
   * at; null where the time is too short for a window.
   */
  reached: z
    .strictObject({ costs: Percent, levels: z.strictObject(byRiskLevel(() => Rounded)) })
    .nullable(),
  source: z.string(),
})
export type HoldoutResult = z.infer<typeof HoldoutResult>

export const EvidenceFigures = z.strictObject({
  windows: z.number().int(),
  windowDays: z.number().int(),
  /** The first day of the first window and the last day of the last one. */
  from: Day,
  to: Day,
  /** The pairs that take part in some window. */
  pairs: z.array(PairSchema),
  /**
   * Each pair with candles, the days of its first and last one, and in how many windows it takes
   * part: 0 if its candles are too few.
   */
  coverage: z.array(
    z.strictObject({ pair: PairSchema, from: Day, to: Day, windows: z.number().int() }),
  ),
  invested: Usd,
  /**
   * The yearly rate of 3-month US Treasury bills on average of the period; null where it is not
   * known for all of it.
   */
  cash: Percent.nullable(),
  /**
   * In percent: the first three of the amount traded, and `aSide` all of them; the platform fee of
   * the profit at the end of a window; `holdFee` is that of a bot that holds. `cashYield`: what
   * idle cash earns a year.
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
  /** The other kinds of bots in the same windows, after their own fees. */
  others: z.array(StrategyEvidence),
  buyAndHold: Distribution,
  timeline: Timeline,
  /** The candles on which the rules were chosen: these pairs until this day. */
  chosenOn: z.strictObject({ pairs: z.array(PairSchema), until: Day }),
  holdout: z.array(HoldoutResult),
  /**
   * SHA-256 over the candles, one per line: pair, open time in milliseconds, then open, high, low
   * and close in units.
   */
  dataHash: z.string(),
  /** The product's version and the beginning of the hash of the rules that computed this. */
  engineVersion: z.string(),
})
export type EvidenceFigures = z.infer<typeof EvidenceFigures>

/**
 * Hypothetical returns of each risk level in all windows of twelve months. `note` and `source` say
 * where the prices are from if they are not those of the market that bots trade on; `sentence` says
 * why there are no figures.
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
  z.strictObject({
    state: z.enum(['none', 'computing']),
    feedLabel: z.string(),
    disclaimer: z.string(),
    sentence: z.string(),
  }),
])
export type Evidence = z.infer<typeof Evidence>

/** A standard guard in all windows of twelve months, beside the same bots without it. */
const GuardRow = z.strictObject({
  guards: Guards,
  /**
   * The middle difference of the returns with and without it, in percentage points: below 0 it
   * cost.
   */
  medianPoints: Percent,
  /**
   * Shares of windows that ended better and worse with it, the first rounded down and the second
   * up, and in which it was reached.
   */
  betterPercent: Percent,
  worsePercent: Percent,
  reachedPercent: Percent,
  /** The largest fall within any window, with and without it. */
  fall: Percent,
  fallWithout: Percent,
})
export type GuardRow = z.infer<typeof GuardRow>

/** The cost of guards in the past, for every strategy. */
export const GuardFigures = z.strictObject({
  hypothetical: z.literal(true),
  windows: z.number().int(),
  from: Day,
  to: Day,
  strategies: z.array(z.strictObject({ strategy: StrategyKeySchema, rows: z.array(GuardRow) })),
})
export type GuardFigures = z.infer<typeof GuardFigures>

/** `prices`: their name, if they are not those of the market that bots trade on. */
export const GuardEvidence = z.discriminatedUnion('state', [
  GuardFigures.extend({ state: z.literal('figures'), prices: z.string().nullable() }),
  z.strictObject({ state: z.enum(['none', 'computing']), sentence: z.string() }),
])
export type GuardEvidence = z.infer<typeof GuardEvidence>

/**
 * Three figures of each level, which stand beside a claim of returns, without the windows behind
 * them.
 */
export const EvidenceSummary = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('figures'),
    hypothetical: z.literal(true),
    /** The name of the prices, if they are not those of the market that bots trade on. */
    prices: z.string().nullable(),
    levels: z.array(
      z.strictObject({
        riskLevel: RiskLevelSchema,
        median: Percent,
        worst: Percent,
        losingPercent: Percent,
      }),
    ),
  }),
  z.strictObject({ state: z.enum(['none', 'computing']), sentence: z.string() }),
])
export type EvidenceSummary = z.infer<typeof EvidenceSummary>

export const BotEvidenceRequest = BacktestRequest.pick({
  strategy: true,
  riskLevel: true,
  tradingPairs: true,
})

/**
 * The outcomes of a bot's own strategy and pairs. `missing`: pairs without enough recorded prices,
 * which the figures leave out.
 */
export const BotEvidence = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('figures'),
    hypothetical: z.literal(true),
    prices: z.string().nullable(),
    windows: z.number().int(),
    from: Day,
    to: Day,
    pairs: z.array(PairSchema),
    missing: z.array(PairSchema),
    ...Distribution.pick({
      median: true,
      worst: true,
      losingPercent: true,
      deepestFall: true,
      beatsCash: true,
      monthly: true,
    }).shape,
  }),
  z.strictObject({ state: z.enum(['none', 'computing']), sentence: z.string() }),
])
export type BotEvidence = z.infer<typeof BotEvidence>
export type BotEvidenceFigures = Omit<
  Extract<BotEvidence, { state: 'figures' }>,
  'state' | 'prices' | 'missing'
>

/**
 * A bot without an owner, replayed over the last months to show how a bot trades. Holds only its
 * latest trades, and what is shown of them.
 */
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
