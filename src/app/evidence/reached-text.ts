import type { EvidenceFigures, LevelEvidence } from '#contract/evidence.ts'
import { figureText, percentText } from '#app/ui/money/money-format.ts'
import { withPercent } from '#words/figures.ts'
import { t, tCount } from '#words/words.ts'

type Given = {
  level: Pick<LevelEvidence, 'riskLevel' | 'reachedPercent'>
  figures: Pick<EvidenceFigures, 'costs' | 'holdout'>
}

/**
 * 'Reached by 26.23% of starts; on 7 coins never used for choosing by 3.8%, at costs of 0.17% a
 * trade.', beside a target.
 */
export function reachedText({
  level: { riskLevel, reachedPercent },
  figures: { costs, holdout },
}: Given): string {
  const percent = percentText(reachedPercent, { sign: 'never' })
  const other = holdout.find(({ reached }) => reached !== null)
  if (!other?.reached) return t('Reached by {percent} of starts.', { percent })
  const values = {
    percent,
    other: withPercent(figureText(other.reached.levels[riskLevel])),
    costs: percentText(other.reached.costs, { sign: 'never' }),
  }
  if (other.reached.costs === costs.aSide) {
    return tCount(
      other.pairs,
      {
        one: 'Reached by {percent} of starts; on {count} coin never used for choosing, by {other}.',
        other:
          'Reached by {percent} of starts; on {count} coins never used for choosing, by {other}.',
      },
      values,
    )
  }
  return tCount(
    other.pairs,
    {
      one: 'Reached by {percent} of starts; on {count} coin never used for choosing, by {other} at costs of {costs} a trade.',
      other:
        'Reached by {percent} of starts; on {count} coins never used for choosing, by {other} at costs of {costs} a trade.',
    },
    values,
  )
}
