import { assert } from '#core/assert.ts'
import { CRYPTO_ASSETS, isCryptoAsset, type CryptoAsset } from '#core/money/asset.ts'

/** base/quote. The quote is always USDT, booked one to one as USD. */
export type Pair = `${CryptoAsset}/USDT`

export const PAIRS: readonly Pair[] = CRYPTO_ASSETS.map((asset): Pair => `${asset}/USDT`)

export function baseOf(pair: Pair): CryptoAsset {
  const base = pair.slice(0, -'/USDT'.length)
  assert(isCryptoAsset(base), `no such asset: ${base}`)
  return base
}

/** Reads 'MATIC/USDT', the pair's former name, as 'POL/USDT'. */
export function parsePair(text: string): Pair | undefined {
  const canonical = text === 'MATIC/USDT' ? 'POL/USDT' : text
  return PAIRS.find((pair) => pair === canonical)
}

/** The pair's id in URLs, such as 'BTC-USD'. */
export function marketIdOf(pair: Pair): string {
  return `${baseOf(pair)}-USD`
}

export function pairOfMarketId(id: string): Pair | undefined {
  return PAIRS.find((pair) => marketIdOf(pair) === id)
}
