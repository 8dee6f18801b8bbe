import { baseOf, type Pair } from '#core/market/pair.ts'
import { sentence, type Sentence } from '#core/sentences.ts'
import type { Side } from '#core/trading/fill.ts'

type BrokenLevel = { days: number; price: string; isHigh: boolean }

/** The high or stop that a trade's close crossed, with the days of its trend. */
export function brokenLevel({ values }: Sentence): BrokenLevel | undefined {
  const close = values?.['close']
  if (typeof close !== 'object') return undefined
  const { days, level } = close.values ?? {}
  if (typeof days !== 'number' || typeof level !== 'string') return undefined
  return { days, price: level.replaceAll(/[$,]/g, ''), isHigh: close.code === 'aboveHigh' }
}

/** Rewords the reason of a decision as that of a trade: 'Bought because SOL rose above …'. */
export function reasonOfTrade(
  { reason, pair }: { reason: Sentence; pair: Pair },
  side: Side,
): Sentence {
  const close = reason.values?.['close']
  if (typeof close !== 'object') return reason
  const { days = '', level = '' } = close.values ?? {}
  const turn = { coin: baseOf(pair), days, level }
  if (close.code === 'aboveHigh' && side === 'buy')
    return { ...reason, values: { ...reason.values, close: sentence('boughtAboveHigh', turn) } }
  if (close.code === 'belowStop' && side === 'sell')
    return { ...reason, values: { ...reason.values, close: sentence('soldBelowStop', turn) } }
  return reason
}
