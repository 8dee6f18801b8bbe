import type { EvidenceFigures } from '#contract/evidence.ts'
import { t } from '#words/words.ts'
import { percentText } from '#app/ui/money/money.tsx'

/** The meaning of cash as a yardstick; undefined where nothing was compared with it. */
export function cashNote({
  cash,
  beatsCash,
}: Pick<EvidenceFigures, 'cash'> & Pick<EvidenceFigures['buyAndHold'], 'beatsCash'>):
  | string
  | undefined {
  if (beatsCash === null) return undefined
  if (cash === null)
    return t('Cash is the same money in 3-month US Treasury bills, reinvested daily.')
  return t(
    'Cash is the same money in 3-month US Treasury bills, reinvested daily: {percent} a year on average of this time.',
    { percent: percentText(cash, { sign: 'never' }) },
  )
}
