import type { SavingsPlan, SetPlanRequest } from '#contract/bots.ts'
import {
  checkPlanAmount,
  checkPlanLine,
  PLAN_PERIODS,
  type PlanPeriod,
} from '#core/bots/savings-plan.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import { typedDecimal } from '#words/typed-figures.ts'
import { keptAmount, readAmount, typedAmount } from '#app/ui/money/typed-amount.ts'

export type TypedPlan = { amount: string; every: PlanPeriod; line: string }

export const NO_PLAN: TypedPlan = { amount: '', every: 'month', line: '' }

export const isPlan = ({ amount, line }: TypedPlan): boolean =>
  amount.trim() !== '' || line.trim() !== ''

/**
 * The plan in a stored draft. Each part is checked, because another build of the app may have
 * stored it.
 */
export function readPlanDraft(kept: unknown): TypedPlan {
  const { amount, every, line } = { ...(kept as Partial<Record<keyof TypedPlan, unknown>>) }
  const typed = (text: unknown) => (typeof text === 'string' ? typedAmount(text) : '')
  return {
    amount: typed(amount),
    every: PLAN_PERIODS.find((period) => period === every) ?? NO_PLAN.every,
    line: typed(line),
  }
}

export function keptPlan({ amount, every, line }: TypedPlan): TypedPlan {
  return { amount: keptAmount(amount), every, line: keptAmount(line) }
}

const unitsOf = (typed: string) => parseDecimal(readAmount(typed) ?? '')

export function planChecks({ amount, line }: TypedPlan) {
  return {
    amount: () => checkPlanAmount(unitsOf(amount)),
    takeAbove: () => checkPlanLine(line.trim() === '' ? null : unitsOf(line)),
  }
}

export function sentPlan({ amount, every, line }: TypedPlan): Omit<SetPlanRequest, 'starts'> {
  return {
    amount: readAmount(amount) ?? '',
    every,
    ...(line.trim() !== '' && { takeAbove: readAmount(line) ?? '' }),
  }
}

export function typedPlan(plan: SavingsPlan | null): TypedPlan {
  if (plan === null) return NO_PLAN
  return {
    amount: typedDecimal(plan.amount),
    every: plan.every,
    line: plan.takeAbove === null ? '' : typedDecimal(plan.takeAbove),
  }
}
