import { moneyText } from '#core/money/text.ts'
import { extremesOf, type CurveValue } from './curve.ts'

/** A curve in one sentence, for those who hear it. */
export function curveSentence(name: string, curve: readonly CurveValue[], spellDay: (timestamp: string) => string): string {
  const first = curve[0]
  const last = curve.at(-1)
  const extremes = extremesOf(curve)
  if (!first || !last || !extremes) return `${name}: no values yet.`
  const spell = ({ value }: CurveValue) => moneyText({ amount: value })
  return (
    `${name}: from ${spell(first)} on ${spellDay(first.at)} to ${spell(last)} on ${spellDay(last.at)}, ` +
    `lowest ${spell(extremes.lowest)}, highest ${spell(extremes.highest)}.`
  )
}
