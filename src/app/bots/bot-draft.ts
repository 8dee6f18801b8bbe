import { baseOf, parsePair, type Pair } from '#core/market/pair.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { STRATEGIES, type StrategyChoice, type StrategyKind } from '#core/strategy/strategy-key.ts'
import { fieldsOf } from '#app/ui/device/storage.ts'
import { keptAmount, typedAmount } from '#app/ui/money/typed-amount.ts'
import { NO_GUARDS, readGuardDraft, type GuardDraft } from './guard-draft.ts'
import { keptPlan, NO_PLAN, readPlanDraft, type TypedPlan } from './plan-input.ts'

/** A bot that is being entered. Undefined: not touched yet, the form suggests one. */
export type BotDraft = {
  strategy: StrategyKind
  /** A bot that holds has none to choose; the one chosen before is kept. */
  riskLevel: RiskLevel
  tradingPairs: readonly Pair[]
  name: string | undefined
  investmentAmount: string | undefined
  guards: GuardDraft
  savings: TypedPlan
}

/** The bot as the form shows it: entered values, and suggestions for the others. */
export type EnteredBot = StrategyChoice & {
  tradingPairs: readonly Pair[]
  name: string
  investmentAmount: string
  guards: GuardDraft
  savings: TypedPlan
}

/** The five largest coins that are no stablecoins: those of the evidence that ships. */
export const FIRST_PAIRS: readonly Pair[] = [
  'BTC/USDT',
  'ETH/USDT',
  'SOL/USDT',
  'XRP/USDT',
  'BNB/USDT',
]

const FIRST_DRAFT: BotDraft = {
  strategy: 'trend',
  riskLevel: 'moderate',
  tradingPairs: FIRST_PAIRS,
  name: undefined,
  investmentAmount: undefined,
  guards: NO_GUARDS,
  savings: NO_PLAN,
}

/** Whether a pair has a price. While no prices are known, all count: the server checks them. */
export const isTradedAt =
  (prices: object | undefined) =>
  (pair: Pair): boolean =>
    prices === undefined || baseOf(pair) in prices

/** The kept draft. Another build of the app may have kept it, so each part is checked. */
export function readDraft(kept: string | undefined, isTraded: (pair: Pair) => boolean): BotDraft {
  const { strategy, riskLevel, tradingPairs, name, investmentAmount, guards, savings } =
    fieldsOf(kept)
  const pairs = Array.isArray(tradingPairs)
    ? tradingPairs.map((pair) => parsePair(String(pair)))
    : undefined
  return {
    strategy: STRATEGIES.find((kind) => kind === strategy) ?? FIRST_DRAFT.strategy,
    riskLevel: RISK_LEVELS.find((level) => level === riskLevel) ?? FIRST_DRAFT.riskLevel,
    tradingPairs:
      pairs?.filter((pair) => pair !== undefined) ?? FIRST_DRAFT.tradingPairs.filter(isTraded),
    name: typeof name === 'string' ? name : undefined,
    investmentAmount:
      typeof investmentAmount === 'string' ? typedAmount(investmentAmount) : undefined,
    guards: readGuardDraft(guards),
    savings: readPlanDraft(savings),
  }
}

export function draftText({ savings, investmentAmount, ...draft }: BotDraft): string {
  return JSON.stringify({
    ...draft,
    savings: keptPlan(savings),
    ...(investmentAmount !== undefined && { investmentAmount: keptAmount(investmentAmount) }),
  })
}

/**
 * Leaves out defaults: a bot follows trends unless another kind is named, and a bot that holds has
 * no level.
 */
export function sentChoice({ strategy, riskLevel }: StrategyChoice): Partial<StrategyChoice> {
  return { ...(strategy !== 'trend' && { strategy }), ...(strategy !== 'hold' && { riskLevel }) }
}
