import { refusalOf, type ShownRefusal } from '#contract/problem.ts'
import { checkBotName, checkInvestment, checkPairs } from '#core/bots/bot.ts'
import { PAIRS } from '#core/market/pair.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import type { EnteredBot } from './bot-draft.ts'
import { guardProblems } from './guard-draft.ts'
import { isPlan, planProblems, type TypedPlan } from './plan-input.ts'

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
