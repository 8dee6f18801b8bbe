import { z } from 'zod'
import { LINE_SENTENCE, PLAN_PERIODS } from '#core/bots/savings-plan.ts'
import { LEAST_PERCENT, MOST_PERCENT, PERCENT_SENTENCE } from '#core/bots/take-out.ts'
import { GUARD_LIMITS, GUARD_SENTENCES, type GuardField } from '#core/guards/guard-settings.ts'
import { GUARD_NAMES } from '#core/guards/guard.ts'
import { BotHoldings, HeldPools } from './holdings.ts'
import { PROBLEMS } from './problem.ts'
import {
  amountInput,
  CurvePoint,
  Decimal,
  Id,
  PairSchema,
  Percent,
  RiskLevelSchema,
  StrategySchema,
  Timestamp,
  TypedText,
  Usd,
} from './wire.ts'

const PairInput = TypedText.max(20)
const InvestmentInput = amountInput(PROBLEMS['bot-amount-invalid'].message)

const guardNumber = (field: GuardField) => {
  const [{ least, most }, sentence] = [GUARD_LIMITS[field], GUARD_SENTENCES[field]]
  return z
    .number(sentence)
    .int(sentence)
    .min(least, sentence)
    .max(most, sentence)
    .nullable()
    .default(null)
}

/** Guards of a bot: null or left out where there is none. */
export const GuardsInput = z.strictObject({
  stopLossPercent: guardNumber('stopLossPercent'),
  /** Whether the stop loss counts from the money put in or from the bot's best. */
  stopLossFrom: z.enum(['invested', 'best']).default('invested'),
  takeProfitPercent: guardNumber('takeProfitPercent'),
  dailyLossPercent: guardNumber('dailyLossPercent'),
  /** Days after which a bot that was stopped begins again by itself. */
  coolDownDays: guardNumber('coolDownDays'),
})
export type GuardsInput = z.input<typeof GuardsInput>
/**
 * A sum from the balance into a bot every week or month, market time. `takeAbove`: the worth above
 * which money is taken back instead, if there is such a line.
 */
const PlanFields = z.strictObject({
  amount: InvestmentInput,
  every: z.enum(PLAN_PERIODS),
  takeAbove: amountInput(LINE_SENTENCE).optional(),
})

/**
 * `starts`: whether the first sum is added now or a period later. A plan that keeps its period
 * keeps its dates with 'next'.
 */
export const SetPlanRequest = PlanFields.extend({ starts: z.enum(['now', 'next']).default('next') })
export type SetPlanRequest = z.input<typeof SetPlanRequest>

export const CreateBotRequest = z.strictObject({
  name: TypedText.max(200),
  strategy: StrategySchema.default('trend'),
  /** By default 'moderate'; for a bot that holds 'aggressive', which is its only level. */
  riskLevel: RiskLevelSchema.optional(),
  tradingPairs: z.array(PairInput).max(50),
  investmentAmount: InvestmentInput,
  guards: GuardsInput.nullish(),
  /** Begins one period later. */
  plan: PlanFields.optional(),
})
export type CreateBotRequest = z.input<typeof CreateBotRequest>

export const UpdateBotRequest = z.strictObject({
  isActive: z.boolean().optional(),
  name: TypedText.max(200).optional(),
  riskLevel: RiskLevelSchema.optional(),
  tradingPairs: z.array(PairInput).max(50).optional(),
  /** They replace those that the bot has; null removes them. */
  guards: GuardsInput.nullish(),
})
export type UpdateBotRequest = z.input<typeof UpdateBotRequest>

export const TopUpRequest = z.strictObject({ amount: InvestmentInput })
export type TopUpRequest = z.input<typeof TopUpRequest>

/** The part of a running bot to take out. */
export const TakeOutRequest = z.strictObject({
  percent: z
    .number(PERCENT_SENTENCE)
    .int(PERCENT_SENTENCE)
    .min(LEAST_PERCENT, PERCENT_SENTENCE)
    .max(MOST_PERCENT, PERCENT_SENTENCE),
})
export type TakeOutRequest = z.infer<typeof TakeOutRequest>

export const Guards = z.strictObject({
  stopLossPercent: z.number().int().nullable(),
  stopLossFrom: z.enum(['invested', 'best']),
  takeProfitPercent: z.number().int().nullable(),
  dailyLossPercent: z.number().int().nullable(),
  coolDownDays: z.number().int().nullable(),
})
export type Guards = z.infer<typeof Guards>

const GuardStop = z.strictObject({
  guard: z.enum(GUARD_NAMES),
  /** The change of the bot's worth that reached the guard. */
  percent: Percent,
  /** Market time. */
  at: Timestamp,
  /** Market time at which the bot begins again by itself; null if it waits for its owner. */
  backAt: Timestamp.nullable(),
  /** Whether its coins are still being sold. */
  isSelling: z.boolean(),
})
export type GuardStop = z.infer<typeof GuardStop>
/**
 * The plan of a bot. `nextAt`: when it is served next, market time; a bot that is paused or moving
 * money is served once it is free again.
 */
export const Plan = z.strictObject({
  amount: Usd,
  every: z.enum(PLAN_PERIODS),
  takeAbove: Usd.nullable(),
  nextAt: Timestamp,
  /** The last time, the balance was below the amount and nothing was added. */
  isShort: z.boolean(),
})
export type Plan = z.infer<typeof Plan>

export const Bot = z.strictObject({
  id: Id,
  name: z.string(),
  strategy: StrategySchema,
  riskLevel: RiskLevelSchema,
  tradingPairs: z.array(PairSchema),
  investmentAmount: Usd,
  isActive: z.boolean(),
  /**
   * 'stopped': a guard was reached, its coins are sold or being sold, and it keeps the money.
   * 'closing': its coins are being sold, then its money returns to the balance.
   */
  status: z.enum(['active', 'paused', 'stopped', 'closing']),
  /**
   * Why an active bot holds no coins: its strategy finds no trend to follow on any of its pairs, or
   * its purchase is not made yet. Null while it holds coins, and while it is paused, closing or
   * changing.
   */
  waiting: z.enum(['trend', 'purchase']).nullable(),
  /** The part being sold to be taken out, until its money is in the balance. */
  takingOutPercent: z.number().nullable(),
  /**
   * Its money is moving to the pairs and risk level that its owner chose, which are shown already.
   */
  isChanging: z.boolean(),
  /** Its value at the last price, less `closingFee`, and before the cost of selling its `coins`. */
  equity: Usd,
  /** The platform fee on the profit if the bot were closed now; 0.00 without a profit. */
  closingFee: Usd,
  /** The value of its coins at the last price, of its own and its part of pools'. */
  coins: Usd,
  /**
   * The platform fee on profit taken out of this bot, in basis points: as it was when the bot was
   * created.
   */
  feeBps: z.number().int(),
  plan: Plan.nullable(),
  /** Equity minus investment, to the cent as both are shown. */
  totalProfit: Usd,
  totalReturn: Percent,
  guards: Guards.nullable(),
  /** The stop that holds now. */
  stop: GuardStop.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Bot = z.infer<typeof Bot>

/** A bot's position on one pair, and the reason for it. */
export const Holding = z.strictObject({
  pair: PairSchema,
  cash: Usd,
  /** The part of it that is in no pool. */
  ownCash: Decimal,
  quantity: Decimal,
  value: Usd,
  /** Percentage of the money on this pair that the strategy wants invested now. */
  wantedPercent: Percent,
  reason: z.string(),
})
export type Holding = z.infer<typeof Holding>

/** A trade of the engine or of a simulation. */
export const TradeFigures = z.strictObject({
  tradingPair: PairSchema,
  side: z.enum(['buy', 'sell']),
  /** Base asset. */
  quantity: Decimal,
  price: Decimal,
  /** Money that changed hands, without the venue's fee. */
  amount: Usd,
  /**
   * On top of the amount. For a bot's trade, its share of the fee that many bots paid together,
   * rounded up.
   */
  venueFee: Decimal,
  /** Realized profit or loss of a sale at average cost, after the venue's fees. */
  profit: Decimal.nullable(),
  reason: z.string(),
  marketTime: Timestamp,
})
export type TradeFigures = z.infer<typeof TradeFigures>

export const BotTrade = TradeFigures.extend({
  id: z.string(),
  botId: Id,
  status: z.literal('completed'),
  createdAt: Timestamp,
})
export type BotTrade = z.infer<typeof BotTrade>

/** `count` is the number of all trades of the bot, whatever the page. */
export const BotTradePage = z.strictObject({
  items: z.array(BotTrade),
  nextCursor: z.string().nullable(),
  count: z.number().int(),
})

/** Trades at one place of a bot's curve: close ones stand together. */
const TradeMark = z.strictObject({
  /** Market time of the first of them. */
  at: Timestamp,
  bought: z.number().int(),
  sold: z.number().int(),
  latest: z.strictObject({
    side: z.enum(['buy', 'sell']),
    tradingPair: PairSchema,
    amount: Usd,
    at: Timestamp,
  }),
})
export type TradeMark = z.infer<typeof TradeMark>

export const BotPerformance = z.strictObject({
  bot: Bot,
  /** Its worth, and that of its holdings, follow from these and from prices. */
  botHoldings: BotHoldings,
  pools: HeldPools,
  holdings: z.array(Holding),
  /**
   * The bot's value over market time. `buyAndHoldCurve` is the same money held in the same pairs.
   */
  equityCurve: z.array(CurvePoint),
  buyAndHoldCurve: z.array(CurvePoint),
  /** The holdings of buying and holding now. Its curve ends at their value. */
  heldInstead: z.strictObject({ cash: Decimal, coins: z.record(z.string(), Decimal) }),
  /**
   * Money put in, less the part of it taken out: the points at which it changes. It ends at
   * `investmentAmount`.
   */
  investedCurve: z.array(CurvePoint),
  /**
   * The same money as cash, with the interest that this book paid on idle cash; empty where it paid
   * none, and so equals `investedCurve`.
   */
  cashCurve: z.array(CurvePoint),
  tradeMarks: z.array(TradeMark),
  maxDrawdown: Percent,
  /**
   * Mean over standard deviation of daily returns × √365, risk-free rate 0; null below 30 market
   * days.
   */
  sharpe: z.string().nullable(),
  venueFees: Usd,
  /** Charged so far on money taken out. */
  platformFees: Usd,
  /** Interest on its idle cash so far, which is part of its result. */
  interest: Usd,
  tradeCount: z.number().int(),
})
export type BotPerformance = z.infer<typeof BotPerformance>

export const BacktestRequest = z.strictObject({
  strategy: StrategySchema.default('trend'),
  riskLevel: RiskLevelSchema.optional(),
  tradingPairs: z.array(PairInput).min(1, PROBLEMS['bot-pairs-missing'].message).max(50),
  investmentAmount: InvestmentInput,
  guards: GuardsInput.nullish(),
  /** Days of market time, ending now. */
  days: z.number().int().min(1).max(1095).default(365),
})
export type BacktestRequest = z.input<typeof BacktestRequest>

/**
 * The bot's rules over past candles, all costs included, as if it were closed at the end. No money
 * moves.
 */
export const BacktestResult = z.strictObject({
  hypothetical: z.literal(true),
  disclaimer: z.string(),
  feedLabel: z.string(),
  from: Timestamp,
  to: Timestamp,
  invested: Usd,
  netResult: Usd,
  returnPercent: Percent,
  venueFees: Usd,
  /** Charged once, at the end, and already taken off `netResult` and the curve. */
  platformFees: Usd,
  maxDrawdown: Percent,
  sharpe: z.string().nullable(),
  buyAndHoldResult: Usd,
  tradeCount: z.number().int(),
  /** The latest 100. */
  trades: z.array(TradeFigures),
  equityCurve: z.array(CurvePoint),
  buyAndHoldCurve: z.array(CurvePoint),
  /** The same money as cash at the book's rate; empty where that is 0. */
  cashCurve: z.array(CurvePoint),
  /** The yearly rate that idle cash and this cash earned, in percent. */
  cashYield: Percent,
})
export type BacktestResult = z.infer<typeof BacktestResult>

/** A simulation of one bot over the last 30 days, with the sentence to show. */
export const SimulationResult = BacktestResult.extend({ title: z.string(), message: z.string() })
export type SimulationResult = z.infer<typeof SimulationResult>

/**
 * `ordersUnderWay`: orders planned before that are not settled yet. After them, only the sales that
 * close the bots are planned.
 */
export const StopAllResult = z.strictObject({
  closing: z.number().int(),
  ordersUnderWay: z.number().int(),
})
