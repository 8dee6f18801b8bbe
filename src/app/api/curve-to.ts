import type { BalanceCurve, Portfolio } from '#contract/market.ts'
import type { CurvePoint } from '#contract/wire.ts'
import { gainOf } from '#core/bots/gain.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { differenceOf, sumOf } from '#app/ui/money/amount-text.ts'

/**
 * Ends the curve at a portfolio that was read before or after it. Money that moved between the two
 * is a step, never a gain.
 */
export function curveTo(
  past: BalanceCurve,
  { at, totalBalance, netDeposits }: Pick<Portfolio, 'at' | 'totalBalance' | 'netDeposits'>,
): BalanceCurve {
  const isPast = (point: { at: string }) => point.at <= at
  const steps = past.withoutTrading.filter(isPast)
  const put = sumOf(lastOf(past.withoutTrading), differenceOf(netDeposits, past.netDeposits))
  return {
    ...past,
    netDeposits,
    curve: [...past.curve.filter((point) => point.at < at), { at, value: totalBalance }],
    withoutTrading: put === lastOf(steps) ? steps : [...steps, { at, value: put }],
    moneyMarks: past.moneyMarks.filter(isPast),
  }
}

/** Gain of the range, without deposits and withdrawals. */
export const gainOfRange = (curve: BalanceCurve) => gainSince(curve.withoutTrading[0], curve)
export const gainOfDay = (curve: BalanceCurve) => gainSince(curve.day[0], curve)

/**
 * Gain since `at`. Each step is a deposit or withdrawal. If the account began after `at`, its first
 * point is a deposit too.
 */
function gainSince(
  { at, value }: CurvePoint = { at: '', value: '0' },
  { curve, withoutTrading: steps }: BalanceCurve,
) {
  const flowOf = (step: CurvePoint, index: number) =>
    step.at > at ? decimalToUnits(differenceOf(step.value, steps[index - 1]?.value ?? '0')) : 0n
  return gainOf({
    start: decimalToUnits(value),
    flows: steps.map(flowOf),
    end: decimalToUnits(lastOf(curve)),
  })
}

export const lastOf = (points: readonly CurvePoint[]): string => points.at(-1)?.value ?? '0'
