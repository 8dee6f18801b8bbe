import { z } from 'zod'
import { InvestmentInput, PairsInput, TradeFigures } from './bots.ts'
import { AMOUNT_PROBLEMS, PAIR_PROBLEMS, type CallRows } from './call-row.ts'
import { GuardsInput } from './guards.ts'
import { PROBLEMS } from './problem.ts'
import { CurvePoint, Percent, RiskLevelSchema, StrategySchema, Timestamp, Usd } from './wire.ts'

export const BacktestRequest = z.strictObject({
  strategy: StrategySchema.default('trend'),
  riskLevel: RiskLevelSchema.optional(),
  tradingPairs: PairsInput.min(1, PROBLEMS['bot-pairs-missing'].message),
  investmentAmount: InvestmentInput,
  guards: GuardsInput,
  /** Days of market time, ending now. */
  days: z.int().min(1).max(1095).default(365),
})

/**
 * Result of the rules over past candles, all costs included, as if the bot were closed at the end.
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
  /** Charged at the end; already deducted from `netResult` and the curve. */
  platformFees: Usd,
  maxDrawdown: Percent,
  sharpe: z.string().nullable(),
  buyAndHoldResult: Usd,
  tradeCount: z.int(),
  /** The latest 100. */
  trades: z.array(TradeFigures),
  equityCurve: z.array(CurvePoint),
  buyAndHoldCurve: z.array(CurvePoint),
  /** The same money as cash at `cashYield`; empty if that is 0. */
  cashCurve: z.array(CurvePoint),
  /** Yearly rate of idle cash. */
  cashYield: Percent,
})
export type BacktestResult = z.infer<typeof BacktestResult>

/** Backtest of one bot over the last 30 days. `title`: the sentence to show. */
export const SimulationResult = BacktestResult.extend({ title: z.string(), message: z.string() })

export const backtestCalls = {
  simulateBot: {
    summary: 'Replay the rules of a bot over the last 30 days',
    access: 'user',
    reads: true,
    response: SimulationResult,
  },
  runBacktest: {
    summary: 'Replay the rules of a bot that does not exist over past candles',
    access: 'user',
    reads: true,
    body: BacktestRequest,
    response: BacktestResult,
    problems: [...PAIR_PROBLEMS, ...AMOUNT_PROBLEMS],
  },
} satisfies CallRows
