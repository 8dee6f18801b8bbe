import { ONE } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { groupDigits } from '#core/money/text.ts'

/** How much of a trade was one bot's, in percent with up to six decimals. */
export function partText({ weight, whole }: { weight: string; whole: string }): string {
  const percent = whole === '0' ? 0n : (BigInt(weight) * 100n * ONE) / BigInt(whole)
  const text = groupDigits(unitsToDecimal(percent, 6), { minimum: 2, maximum: 6 })
  return percent < ONE / 1_000_000n ? 'below 0.000001%' : `${text}%`
}
