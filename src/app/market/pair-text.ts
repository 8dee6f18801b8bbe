import { ASSET_NAMES } from '#core/money/asset.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'

/** A pair as people know it: 'BTC/USDT'; POL keeps its old name beside the new one. */
export function pairText(pair: Pair): string {
  return baseOf(pair) === 'POL' ? `${ASSET_NAMES.POL}/USDT` : pair
}

export function pairsText(pairs: readonly Pair[]): string {
  return pairs.map(pairText).join(', ')
}
