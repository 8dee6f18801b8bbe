import { FIRST_BOT } from '#core/bots/first-bot.ts'
import { baseOf, parsePair, type Pair } from '#core/market/pair.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { STRATEGIES, type StrategyChoice, type StrategyKind } from '#core/strategy/strategy-key.ts'
import { fieldsOf } from '#app/ui/device/kept-text.ts'
import { keptAmount, typedAmount } from '#app/ui/money/typed-amount.ts'
import { NO_GUARDS, readGuardDraft, type GuardDraft } from './guard-draft.ts'
import { keptPlan, NO_PLAN, readPlanDraft, type TypedPlan } from './plan-input.ts'

/**
 * A bot that is being entered. An undefined field was not touched yet; the form suggests a value.
 */
export type BotDraft = {
  strategy: StrategyKind
  /** A hold bot has no choice of level; the level chosen before is remembered. */
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

const FIRST_DRAFT: BotDraft = {
  ...FIRST_BOT,
  name: undefined,
  investmentAmount: undefined,
  guards: NO_GUARDS,
  savings: NO_PLAN,
}

/**
 * Whether a pair has a price. True while no prices are known, because the server checks the pairs
 * too.
 */
export const isTradedAt =
  (prices: object | undefined) =>
  (pair: Pair): boolean =>
    prices === undefined || baseOf(pair) in prices

/** The stored draft. Each part is checked, because another build of the app may have stored it. */
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

/** The choice without defaults: the kind 'trend' is left out, and so is the level of a hold bot. */
export function sentChoice({ strategy, riskLevel }: StrategyChoice): Partial<StrategyChoice> {
  return { ...(strategy !== 'trend' && { strategy }), ...(strategy !== 'hold' && { riskLevel }) }
}
