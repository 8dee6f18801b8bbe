import type { Compared, Comparison } from '#contract/comparison.ts'
import { signOf } from '#core/money/text.ts'
import { percentText } from '#app/ui/money/money-format.ts'

/** Both results in one sentence. `since`: the start as text. */
export function comparisonSentence({ bot, other }: Comparison, since: string): string {
  if (bot.curve.length === 0) return 'There is nothing to compare yet: both need a full hour of market time.'
  return `Since ${since}, ${resultText(bot)} and ${resultText(other)}.`
}

function resultText({ name, hypothetical, change }: Compared): string {
  const rose = signOf(change) >= 0
  const figure = percentText(change, { sign: 'never' })
  return hypothetical ? `${name} would have ${rose ? 'gained' : 'lost'} ${figure}` : `${name} ${rose ? 'gained' : 'lost'} ${figure}`
}
