import { baseOf, type Pair } from '#core/market/pair.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { msg, say, t } from '#words/words.ts'
import type { Range } from '#app/api/balance-curve.ts'
import { useConfig } from '#app/api/queries.ts'

export function pairText(pair: Pair): string {
  return baseOf(pair) === 'POL' ? `${ASSET_NAMES.POL}/USDT` : pair
}

export function pairsText(pairs: readonly Pair[]): string {
  return pairs.map(pairText).join(', ')
}

const TEXTS: Record<Range, string> = {
  '1D': msg('1D'),
  '1W': msg('1W'),
  '1M': msg('1M'),
  '1Y': msg('1Y'),
  All: msg('All|time'),
}

export function rangeText(range: Range): string {
  return say(TEXTS[range])
}

export function usePastDay(): string {
  return (useConfig().data?.feed.speed ?? 1) > 1 ? t('24 h (market time)') : t('past 24 h')
}
