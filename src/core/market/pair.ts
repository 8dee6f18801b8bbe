import { assert } from '#core/assert.ts'
import { CRYPTO_ASSETS, isCryptoAsset, type CryptoAsset } from '#core/money/asset.ts'

/** A pair is named by its base asset; the quote is always USDT, booked as USD one to one in the product. */
export type Pair = `${CryptoAsset}/USDT`

export const PAIRS: readonly Pair[] = CRYPTO_ASSETS.map((asset): Pair => `${asset}/USDT`)

export function baseOf(pair: Pair): CryptoAsset {
  const base = pair.slice(0, -'/USDT'.length)
  assert(isCryptoAsset(base), `no such asset: ${base}`)
  return base
}

/** The pair that `text` names, 'MATIC/USDT' read as 'POL/USDT'; undefined for anything else. */
export function parsePair(text: string): Pair | undefined {
  const canonical = text === 'MATIC/USDT' ? 'POL/USDT' : text
  return PAIRS.find((pair) => pair === canonical)
}
