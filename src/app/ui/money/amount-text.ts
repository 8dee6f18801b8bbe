import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'

export function compareAmounts(amount: string, other: string): number {
  const difference = (parseDecimal(amount) ?? 0n) - (parseDecimal(other) ?? 0n)
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

export function isPositiveAmount(amount: string): boolean {
  return compareAmounts(amount, '0') > 0
}

export function sumOf(...amounts: readonly string[]): string {
  return unitsToDecimal(
    amounts.reduce((sum, amount) => sum + (parseDecimal(amount) ?? 0n), 0n),
    2,
  )
}

export function differenceOf(amount: string, other: string): string {
  return unitsToDecimal((parseDecimal(amount) ?? 0n) - (parseDecimal(other) ?? 0n), 2)
}
