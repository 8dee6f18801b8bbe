import { checkBotName, checkInvestment, checkPairs } from '#core/bots/bot.ts'
import { PAIRS } from '#core/market/pair.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import type { EnteredBot } from './bot-draft.ts'
import { guardChecks } from './guard-draft.ts'
import { isPlan, planChecks } from './plan-input.ts'

export type BotField = keyof ReturnType<typeof botChecks>

/** Checks by field. The server also checks whether pairs have a market now. */
export function botChecks(
  { name, tradingPairs, investmentAmount, guards, savings }: EnteredBot,
  available: string,
) {
  const plan = planChecks(savings)
  const unlessNone = (check: () => unknown) => () => isPlan(savings) && check()
  return {
    name: () => checkBotName(name),
    tradingPairs: () => checkPairs(tradingPairs, PAIRS),
    investmentAmount: () =>
      checkInvestment({
        amount: parseDecimal(readAmount(investmentAmount) ?? ''),
        available: decimalToUnits(available),
      }),
    ...guardChecks(guards),
    planAmount: unlessNone(plan.amount),
    takeAbove: unlessNone(plan.takeAbove),
  }
}
