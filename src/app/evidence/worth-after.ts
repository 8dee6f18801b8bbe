import { ONE } from '#core/money/amount.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { multiplyDivideFloor } from '#core/money/rounding.ts'

const ALL = 100n * ONE

/** The worth of `amount` after a change of `percent`, floored to the cent: '284.48'. */
export function worthAfter(amount: string, percent: string): string {
  return unitsToDecimal(
    multiplyDivideFloor({
      a: decimalToUnits(amount),
      b: ALL + decimalToUnits(percent),
      divisor: ALL,
    }),
    2,
  )
}
