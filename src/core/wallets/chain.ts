import type { CryptoAsset } from '#core/money/asset.ts'
import type { Units } from '#core/money/amount.ts'

/** The coin that a chain pays its fees in. */
export type Coin = Extract<CryptoAsset, 'ETH' | 'BNB' | 'POL'>

type Chain = { name: string; coin: Coin }

/** The chains we know, by their number. Source: EIP-155's list, chainid.network. */
const CHAINS: ReadonlyMap<number, Chain> = new Map([
  [1, { name: 'Ethereum', coin: 'ETH' }],
  [56, { name: 'Binance Smart Chain', coin: 'BNB' }],
  [137, { name: 'Polygon', coin: 'POL' }],
  [42_161, { name: 'Arbitrum', coin: 'ETH' }],
])

/** 10⁻¹⁸ of a coin is the smallest part on all these chains; units are 10⁻⁸. */
const WEI_PER_UNIT = 10n ** 10n

export function chainName(chainId: number): string {
  return CHAINS.get(chainId)?.name ?? 'Unknown Chain'
}

/** Undefined for a chain outside the list: we read no balance there. */
export function coinOf(chainId: number): Coin | undefined {
  return CHAINS.get(chainId)?.coin
}

/** A balance as a chain tells it (18 decimals) in units (8 decimals), floored: it never shows more than is there. */
export function unitsOfWei(wei: bigint): Units {
  return wei / WEI_PER_UNIT
}
