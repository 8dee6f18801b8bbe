import { moneyText } from '#app/ui/money/money-format.ts'
import { extremesOf, type CurveValue } from './curve.ts'

/** Describes a curve in one sentence, for screen readers. */
export function curveSentence(name: string, curve: readonly CurveValue[], dayText: (timestamp: string) => string): string {
  const first = curve[0]
  const last = curve.at(-1)
  const extremes = extremesOf(curve)
  if (!first || !last || !extremes) return `${name}: no values yet.`
  const text = ({ value }: CurveValue) => moneyText({ amount: value })
  return (
    `${name}: from ${text(first)} on ${dayText(first.at)} to ${text(last)} on ${dayText(last.at)}, ` +
    `lowest ${text(extremes.lowest)}, highest ${text(extremes.highest)}.`
  )
}
