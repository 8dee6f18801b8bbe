import { z } from 'zod'
import { LONG_NAME_SENTENCE } from '#core/bots/bot.ts'
import { LINE_SENTENCE, PLAN_PERIODS } from '#core/bots/savings-plan.ts'
import { LEAST_PERCENT, MOST_PERCENT, PERCENT_SENTENCE } from '#core/bots/take-out.ts'
import { PAIR_PROBLEMS, AMOUNT_PROBLEMS, type CallRows } from './call-row.ts'
import { NextDay } from './forecasts.ts'
import { Guards, GuardLevels, GuardsInput, GuardStop } from './guards.ts'
import { BotHoldings, HeldPools } from './holdings.ts'
import { PROBLEMS } from './problem.ts'
import {
  amountInput,
  CurvePoint,
  Decimal,
  Id,
  pageOf,
  atMost,
  PairSchema,
  Percent,
  RiskLevelSchema,
  SideSchema,
  StrategySchema,
  Timestamp,
  TypedText,
  Usd,
  WaitingPair,
  CursorQuery,
  wholeNumber,
} from './wire.ts'

export const PairsInput = z.array(atMost(20, TypedText)).max(50)
export const InvestmentInput = amountInput(PROBLEMS['bot-amount-invalid'].message)

/**
 * A sum to add per week or month of market time. `takeAbove`: if the bot is worth more than this,
 * nothing is added, and the excess returns to the balance.
 */
const PlanFields = z.strictObject({
  amount: InvestmentInput,
  every: z.enum(PLAN_PERIODS),
  takeAbove: amountInput(LINE_SENTENCE).optional(),
})

/**
 * `starts`: 'now' adds the first sum at once, 'next' a period later. If the period is unchanged,
 * 'next' keeps the dates.
 */
export const SetPlanRequest = PlanFields.extend({ starts: z.enum(['now', 'next']).default('next') })
export type SetPlanRequest = z.input<typeof SetPlanRequest>

/** Longer than a stored name may be, because the name is tidied before its length is checked. */
const BotName = TypedText.max(200, LONG_NAME_SENTENCE)

export const CreateBotRequest = z.strictObject({
  name: BotName,
  strategy: StrategySchema.default('trend'),
  /** Default: 'moderate'; for hold bots 'aggressive', their only level. */
  riskLevel: RiskLevelSchema.optional(),
  tradingPairs: PairsInput,
  investmentAmount: InvestmentInput,
  guards: GuardsInput,
  /** The plan's first run is one period later. */
  plan: PlanFields.optional(),
})

export const UpdateBotRequest = z.strictObject({
  isActive: z.boolean().optional(),
  name: BotName.optional(),
  riskLevel: RiskLevelSchema.optional(),
  tradingPairs: PairsInput.optional(),
  /** Null removes the present guards. */
  guards: GuardsInput,
})

export const TopUpRequest = z.strictObject({ amount: InvestmentInput })

export const TakeOutRequest = z.strictObject({
  percent: wholeNumber({ least: LEAST_PERCENT, most: MOST_PERCENT }, PERCENT_SENTENCE),
})

/**
 * `nextAt`: market time of the next run. If the bot is paused or moves money then, the plan waits.
 */
export const SavingsPlan = z.strictObject({
  amount: Usd,
  every: z.enum(PLAN_PERIODS),
  takeAbove: Usd.nullable(),
  nextAt: Timestamp,
  /** Whether the last run added nothing for lack of balance. */
  isShort: z.boolean(),
})
export type SavingsPlan = z.infer<typeof SavingsPlan>

export const Bot = z.strictObject({
  id: Id,
  name: z.string(),
  strategy: StrategySchema,
  riskLevel: RiskLevelSchema,
  tradingPairs: z.array(PairSchema),
  investmentAmount: Usd,
  isActive: z.boolean(),
  /**
   * 'stopped': a guard sold the coins or is selling them; the bot keeps the money. 'closing': the
   * bot sells its coins, then returns its money to the balance.
   */
  status: z.enum(['active', 'paused', 'stopped', 'closing']),
  /**
   * A sentence: the nearest price at which an active bot changes something, or the reason why it
   * waits. Null if the status suffices.
   */
  doing: z.string().nullable(),
  waitingPairs: z.array(WaitingPair),
  /** Percentage being taken out; null once the money has reached the balance. */
  takingOutPercent: z.number().nullable(),
  /** True while money moves to a new risk level or new pairs, which are already shown. */
  isChanging: z.boolean(),
  /** Worth at the last price, after `closingFee`, before the cost of selling `coins`. */
  equity: Usd,
  /** Platform fee of closing now; 0.00 without a profit. */
  closingFee: Usd,
  /** The bot's own coins and its part of pools' coins, at the last price. */
  coins: Usd,
  /** Platform fee on profit taken out, fixed at the bot's creation. */
  feeBps: z.int(),
  plan: SavingsPlan.nullable(),
  /** Equity minus investment, both as shown. */
  totalProfit: Usd,
  totalReturn: Percent,
  guards: Guards.nullable(),
  /** Null without guards, or if the bot is not active. */
  guardLevels: GuardLevels.nullable(),
  stop: GuardStop.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Bot = z.infer<typeof Bot>

/** `percent` is invested once the close of an hour passes `price`. */
const NextMove = z.strictObject({ price: Decimal, percent: z.int() })

/** See `NextStep` of `core/strategy/next-change.ts`. */
export const NextStep = z.strictObject({
  /** Time of the last decision, a full hour. The decision may have changed nothing. */
  lookedAt: Timestamp,
  trends: z.array(z.strictObject({ days: z.number(), isUp: z.boolean() })),
  percent: z.int(),
  above: NextMove.nullable(),
  below: NextMove.nullable(),
})
export type NextStep = z.infer<typeof NextStep>

export const Holding = z.strictObject({
  pair: PairSchema,
  cash: Usd,
  /** Cash outside of pools. */
  ownCash: Decimal,
  quantity: Decimal,
  value: Usd,
  /** The strategy's present target exposure. */
  wantedPercent: Percent,
  reason: z.string(),
  /** Null while the strategy does not trade the pair for this bot. */
  next: NextStep.nullable(),
})
export type Holding = z.infer<typeof Holding>

export const TradeFigures = z.strictObject({
  tradingPair: PairSchema,
  side: SideSchema,
  /** Quantity of the base asset. */
  quantity: Decimal,
  price: Decimal,
  /** Without the venue's fee. */
  amount: Usd,
  /** The bot's share of the block's fee, rounded up. */
  venueFee: Decimal,
  /** Profit of a sale at average cost, after the venue's fees; null for a purchase. */
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

export const BotTradePage = pageOf(BotTrade).extend({ count: z.int() })

/** Trades close to each other on the curve, shown as one mark. `at`: market time of the first. */
const TradeMark = z.strictObject({
  at: Timestamp,
  bought: z.int(),
  sold: z.int(),
  latest: z.strictObject({ side: SideSchema, tradingPair: PairSchema, amount: Usd, at: Timestamp }),
})
export type TradeMark = z.infer<typeof TradeMark>

export const BotPerformance = z.strictObject({
  bot: Bot,
  botHoldings: BotHoldings,
  pools: HeldPools,
  holdings: z.array(Holding),
  /** Null without coins, or if a coin has no forecast. */
  nextDay: NextDay.nullable(),
  /** Over market time. */
  equityCurve: z.array(CurvePoint),
  /** Buy and hold of the same pairs, with the same deposits and withdrawals. */
  buyAndHoldCurve: z.array(CurvePoint),
  /** Present holdings of `buyAndHoldCurve`. */
  heldInstead: z.strictObject({ cash: Decimal, coins: z.record(z.string(), Decimal) }),
  /** The invested money over time, in steps; ends at `investmentAmount`. */
  investedCurve: z.array(CurvePoint),
  /** The same money in and out, kept as cash with interest; empty if the book pays none. */
  cashCurve: z.array(CurvePoint),
  tradeMarks: z.array(TradeMark),
  maxDrawdown: Percent,
  /** Daily mean over standard deviation × √365, risk-free rate 0; null below 30 market days. */
  sharpe: z.string().nullable(),
  venueFees: Usd,
  /** Fees on money taken out so far. */
  platformFees: Usd,
  /** Interest on idle cash so far; included in the result. */
  interest: Usd,
  tradeCount: z.int(),
  /**
   * Results of every 30 days since the first money, oldest first, at most the latest twelve. The
   * last period may not be over. `putIn`: the worth when the period began, and the money added in
   * it.
   */
  months: z.array(z.strictObject({ from: Timestamp, result: Decimal, putIn: Decimal })),
})
export type BotPerformance = z.infer<typeof BotPerformance>

/**
 * `ordersUnderWay`: number of orders that were already planned and are not settled yet. Once they
 * are settled, bots sell only to close.
 */
export const StopAllResult = z.strictObject({
  closing: z.int(),
  ordersUnderWay: z.int(),
})

export const botCalls = {
  listBots: { summary: 'Your bots', access: 'user', keys: 'read', response: z.array(Bot) },
  createBot: {
    summary: 'Create a bot and put money into it',
    access: 'user',
    keys: 'bots',
    keyFields: ['name', 'strategy', 'riskLevel', 'tradingPairs', 'investmentAmount', 'guards'],
    keyed: true,
    body: CreateBotRequest,
    response: Bot,
    status: 201,
    problems: [
      'bot-name-invalid',
      ...PAIR_PROBLEMS,
      ...AMOUNT_PROBLEMS,
      'too-many-bots',
      'insufficient-balance',
      'key-bots-limit',
      'key-amount-limit',
    ],
  },
  updateBot: {
    summary: 'Rename, pause, resume or change a bot',
    access: 'user',
    keys: 'bots',
    keyFields: ['isActive'],
    body: UpdateBotRequest,
    response: Bot,
    problems: ['bot-name-invalid', ...PAIR_PROBLEMS, 'bot-closing', 'bot-paused', 'bot-busy'],
  },
  deleteBot: {
    summary: 'Close a bot: it sells, then returns its money',
    access: 'user',
    response: Bot,
  },
  topUpBot: {
    summary: 'Add money to a bot',
    access: 'user',
    keyed: true,
    body: TopUpRequest,
    response: Bot,
    problems: [...AMOUNT_PROBLEMS, 'bot-closing', 'bot-busy', 'insufficient-balance'],
  },
  takeOutOfBot: {
    summary: 'Take a percentage of a bot out to the balance',
    access: 'user',
    keyed: true,
    body: TakeOutRequest,
    response: Bot,
    problems: ['bot-closing', 'bot-paused', 'bot-busy'],
  },
  setPlan: {
    summary: 'Add a sum to a bot every week or month',
    access: 'user',
    keyed: true,
    body: SetPlanRequest,
    response: Bot,
    problems: [...AMOUNT_PROBLEMS, 'bot-closing'],
  },
  endPlan: { summary: 'End the plan of a bot', access: 'user', response: Bot },
  getBotPerformance: {
    summary: 'The result of a bot, with holdings and curves',
    access: 'user',
    keys: 'read',
    response: BotPerformance,
  },
  listBotTrades: {
    summary: 'Trades of a bot, newest first',
    access: 'user',
    keys: 'read',
    query: CursorQuery,
    response: BotTradePage,
    problems: ['cursor-invalid'],
  },
  stopAll: { summary: 'Close all your bots', access: 'user', response: StopAllResult },
} satisfies CallRows
