import type { LevelEvidence } from '#contract/evidence.ts'
import { percentText } from '#app/ui/money/money-format.ts'
import { groupDigits } from '#words/figures.ts'
import { t } from '#words/words.ts'

/** 'Reached by 1 start in 22.' beside a target; a share in percent where more than half reached it. */
export function reachedText({ reached, reachedPercent }: Pick<LevelEvidence, 'reached' | 'reachedPercent'>, starts: number): string {
  if (reached === 0) return t('Reached by none of {count} starts.', { count: whole(starts) })
  if (reached * 2 > starts) return t('Reached by {percent} of starts.', { percent: percentText(reachedPercent, { sign: 'never' }) })
  return t('Reached by 1 start in {count}.', { count: whole(Math.round(starts / reached)) })
}

function whole(count: number): string {
  return groupDigits(String(count), { minimum: 0, maximum: 0 })
}
