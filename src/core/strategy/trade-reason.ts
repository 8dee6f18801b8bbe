import { baseOf, type Pair } from '#core/market/pair.ts'
import { sentence, type Sentence } from '#core/sentences.ts'
import type { Side } from '#core/trading/fill.ts'

/** The reason of a decision as that of a trade: 'Bought because SOL rose above …'. */
export function reasonOfTrade(
  reason: Sentence,
  { side, pair }: { side: Side; pair: Pair },
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
