import type { Compared, Comparison } from '#contract/comparison.ts'
import { signOf } from '#core/money/text.ts'
import { msg, say, t } from '#words/words.ts'
import { percentText } from '#app/ui/money/money-format.ts'

type Outcome = 'gained' | 'lost'

/** By what the bot did, and what the other did. */
const RESULTS: Record<Outcome, Record<Outcome, string>> = {
  gained: {
    gained: msg('Since {start}, {bot} gained {percent} and {other} gained {otherPercent}.'),
    lost: msg('Since {start}, {bot} gained {percent} and {other} lost {otherPercent}.'),
  },
  lost: {
    gained: msg('Since {start}, {bot} lost {percent} and {other} gained {otherPercent}.'),
    lost: msg('Since {start}, {bot} lost {percent} and {other} lost {otherPercent}.'),
  },
}

/** Where the other was only replayed. */
const HYPOTHETICAL_RESULTS: Record<Outcome, Record<Outcome, string>> = {
  gained: {
    gained: msg(
      'Since {start}, {bot} gained {percent} and {other} would have gained {otherPercent}.',
    ),
    lost: msg('Since {start}, {bot} gained {percent} and {other} would have lost {otherPercent}.'),
  },
  lost: {
    gained: msg(
      'Since {start}, {bot} lost {percent} and {other} would have gained {otherPercent}.',
    ),
    lost: msg('Since {start}, {bot} lost {percent} and {other} would have lost {otherPercent}.'),
  },
}

/** Both results in one sentence. `start`: as text. */
export function comparisonSentence({ bot, other }: Comparison, start: string): string {
  if (bot.curve.length === 0)
    return t('There is nothing to compare yet: both need a full hour of market time.')
  const results = other.hypothetical ? HYPOTHETICAL_RESULTS : RESULTS
  return say(results[outcomeOf(bot)][outcomeOf(other)], {
    start,
    bot: bot.name,
    percent: figureOf(bot),
    other: other.name,
    otherPercent: figureOf(other),
  })
}

const outcomeOf = ({ change }: Compared): Outcome => (signOf(change) >= 0 ? 'gained' : 'lost')

const figureOf = ({ change }: Compared): string => percentText(change, { sign: 'never' })
