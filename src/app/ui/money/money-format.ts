import { MINUS, signOf } from '#core/money/text.ts'
import { digitsText, groupDigits, withPercent } from '#words/figures.ts'

/** A plain figure, such as a ratio, with a true minus. */
export function figureText(figure: string): string {
  return digitsText(figure.replace(/^-/, MINUS))
}

/** '-0.62' as '−0.62%', '1.8' as '+1.80%' where the sign is asked for. */
export function percentText(
  percent: string,
  { sign = 'always' }: { sign?: 'always' | 'never' | 'auto' } = {},
): string {
  const digits = groupDigits(percent.replace(/^-/, ''), { minimum: 2, maximum: 2 })
  if (sign === 'never') return withPercent(digits)
  if (signOf(percent) < 0) return withPercent(MINUS + digits)
  return withPercent(sign === 'always' ? `+${digits}` : digits)
}
