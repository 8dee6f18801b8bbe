import type { EvidenceFigures } from '#contract/evidence.ts'
import { t } from '#words/words.ts'
import { percentText } from '#app/ui/money/money.tsx'

/** 'Recorded Binance prices, not this market's.' */
export function otherPricesNote(prices: string | null): string | undefined {
  return prices === null ? undefined : t("{prices}, not this market's.", { prices })
}

/** Explains cash as a yardstick; undefined if nothing was compared with it. */
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
    'Cash is the same money in 3-month US Treasury bills, reinvested daily. It earned {percent} a year on average.',
    { percent: percentText(cash, { sign: 'never' }) },
  )
}
