import type { Bot } from '#contract/bots.ts'
import { refusalOf, type ShownRefusal } from '#contract/problem.ts'
import { checkBotName, checkInvestment, checkPairs, MINIMUM_INVESTMENT } from '#core/bots/bot.ts'
import { PAIRS, parsePair, type Pair } from '#core/market/pair.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { PLAN_PERIODS } from '#core/bots/savings-plan.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { STRATEGIES, type StrategyChoice, type StrategyKind } from '#core/strategy/strategy-key.ts'
import { isSuggestedName, untaken } from '#words/bot-name.ts'
import { typedDecimal } from '#words/typed-figures.ts'
import { msg } from '#words/words.ts'
import { fieldsOf } from '#app/ui/device/storage.ts'
import { compareAmounts } from '#app/ui/money/amount-text.ts'
import { keptAmount, readAmount, shareOf, typedAmount } from '#app/ui/money/typed-amount.ts'
import {
  draftOf,
  guardProblems,
  NO_GUARDS,
  readGuardDraft,
  type GuardDraft,
} from './guard-draft.ts'
import { isPlan, NO_PLAN, planProblems, type TypedPlan } from './plan-input.ts'

/** A bot that is being entered. Undefined: not touched yet, the form suggests one. */
export type BotDraft = {
  strategy: StrategyKind
  /** A bot that holds has none to choose; the one chosen before is kept. */
  riskLevel: RiskLevel
  tradingPairs: readonly Pair[]
  name: string | undefined
  investmentAmount: string | undefined
  guards: GuardDraft
  /** Its plan; without an amount and a line there is none. */
  savings: TypedPlan
}

/** The bot as the form shows it: what was entered, and for the rest what is suggested. */
export type EnteredBot = StrategyChoice & {
  tradingPairs: readonly Pair[]
  name: string
  investmentAmount: string
  guards: GuardDraft
  savings: TypedPlan
}

/** The draft with which every new bot begins: ready to be created once its amount is settled. */
const FIRST_DRAFT: BotDraft = {
  strategy: 'trend',
  riskLevel: 'moderate',
  tradingPairs: ['BTC/USDT', 'ETH/USDT'],
  name: undefined,
  investmentAmount: undefined,
  guards: NO_GUARDS,
  savings: NO_PLAN,
}

/**
 * Choices of coins, each one tap. The five are the largest by market value that are no stablecoins.
 */
export const COIN_CHOICES: readonly { message: string; pairs: readonly Pair[] }[] = [
  { message: 'BTC + ETH', pairs: ['BTC/USDT', 'ETH/USDT'] },
  {
    message: msg('Top {count}'),
    pairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT', 'BNB/USDT'],
  },
  { message: msg('All {count}'), pairs: PAIRS },
]

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
    savings: readSavings(savings),
  }
}

function readSavings(kept: unknown): TypedPlan {
  const { amount, every, line } = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<
    string,
    unknown
  >
  const typed = (text: unknown) => (typeof text === 'string' ? typedAmount(text) : '')
  return {
    amount: typed(amount),
    every: PLAN_PERIODS.find((period) => period === every) ?? NO_PLAN.every,
    line: typed(line),
  }
}

export function draftText({ savings, investmentAmount: typed, ...draft }: BotDraft): string {
  const kept = { ...savings, amount: keptAmount(savings.amount), line: keptAmount(savings.line) }
  return JSON.stringify({
    ...draft,
    savings: kept,
    ...(typed !== undefined && { investmentAmount: keptAmount(typed) }),
  })
}

/** The settings of a bot that another one may begin with. */
type Cloned = Pick<
  Bot,
  'name' | 'strategy' | 'riskLevel' | 'tradingPairs' | 'investmentAmount' | 'guards'
>

/**
 * The settings of `bot` as a draft of another, without its plan and with as much money if there is
 * as much. A suggested name is left to the form.
 */
export function cloneOf(bot: Cloned, available: string): BotDraft {
  const { strategy, riskLevel, tradingPairs, investmentAmount, guards } = bot
  const isThere = compareAmounts(investmentAmount, available) <= 0
  // Leaves room for the number: names have up to 50 characters.
  const another = isSuggestedName(bot.name, bot)
    ? undefined
    : untaken([...bot.name].slice(0, 48).join(''), [bot.name])
  return {
    strategy,
    riskLevel,
    tradingPairs,
    name: another,
    guards: draftOf(guards),
    savings: NO_PLAN,
    investmentAmount: isThere ? typedDecimal(investmentAmount) : suggestedAmount(available),
  }
}

/** A quarter of what is available; undefined where that is below the minimum. */
export function suggestedAmount(available: string): string | undefined {
  const amount = shareOf(available, 25)
  return decimalToUnits(readAmount(amount) ?? '0') < MINIMUM_INVESTMENT ? undefined : amount
}

/** A bot follows trends unless another kind is named, and one that holds has no level to choose. */
export function sentChoice({ strategy, riskLevel }: StrategyChoice): Partial<StrategyChoice> {
  return { ...(strategy !== 'trend' && { strategy }), ...(strategy !== 'hold' && { riskLevel }) }
}

/**
 * Everything that is wrong with what was entered. The server alone knows which pairs have a market
 * now.
 */
export function problemsOf(
  { name, tradingPairs, investmentAmount, guards, savings }: EnteredBot,
  available: string,
): ShownRefusal[] {
  return [
    refusalOf(() => checkBotName(name)),
    refusalOf(() => checkPairs(tradingPairs, PAIRS)),
    refusalOf(() =>
      checkInvestment({
        amount: parseDecimal(readAmount(investmentAmount) ?? ''),
        available: decimalToUnits(available),
      }),
    ),
    ...guardProblems(guards),
    ...savingsProblems(savings),
  ].filter((refusal) => refusal !== undefined)
}

function savingsProblems(savings: TypedPlan): ShownRefusal[] {
  const found = isPlan(savings) ? planProblems(savings) : []
  return found.map((refusal) => ({
    ...refusal,
    field: refusal.field === 'takeAbove' ? 'takeAbove' : 'planAmount',
  }))
}
