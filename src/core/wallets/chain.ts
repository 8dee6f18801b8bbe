import { english } from '#core/english.ts'
import type { CryptoAsset } from '#core/money/asset.ts'
import type { Units } from '#core/money/amount.ts'

/** The coin in which a chain's fees are paid. */
export type Coin = Extract<CryptoAsset, 'ETH' | 'BNB' | 'POL'>

type Chain = { name: string; coin: Coin }

/** Supported chains by chain id. Source: the EIP-155 list, chainid.network. */
const CHAINS: ReadonlyMap<number, Chain> = new Map([
  [1, { name: 'Ethereum', coin: 'ETH' }],
  [56, { name: 'Binance Smart Chain', coin: 'BNB' }],
  [137, { name: 'Polygon', coin: 'POL' }],
  [42_161, { name: 'Arbitrum', coin: 'ETH' }],
])

/** A wei, 10⁻¹⁸ of a coin, is the smallest amount on all these chains; a unit is 10⁻⁸. */
const WEI_PER_UNIT = 10n ** 10n

export function chainName(chainId: number): string {
  return CHAINS.get(chainId)?.name ?? english('Unknown Chain')
}

/** Undefined for an unsupported chain, where no balance is read. */
export function coinOf(chainId: number): Coin | undefined {
  return CHAINS.get(chainId)?.coin
}

/**
 * Converts a balance from wei (18 decimals) to units (8 decimals), floored so that it never shows
 * more than there is.
 */
export function unitsOfWei(wei: bigint): Units {
  return wei / WEI_PER_UNIT
}
