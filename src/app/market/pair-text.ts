import { ASSET_NAMES } from '#core/money/asset.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'

/** A pair as shown to users: 'BTC/USDT'; POL is shown with its old name too. */
export function pairText(pair: Pair): string {
  return baseOf(pair) === 'POL' ? `${ASSET_NAMES.POL}/USDT` : pair
}

export function pairsText(pairs: readonly Pair[]): string {
  return pairs.map(pairText).join(', ')
}
