import { english } from '#core/english.ts'
import type { CryptoAsset } from '#core/money/asset.ts'
import type { Units } from '#core/money/amount.ts'

/** The coin in which fees of a chain are paid. */
export type Coin = Extract<CryptoAsset, 'ETH' | 'BNB' | 'POL'>

type Chain = { name: string; coin: Coin }

/** By chain id. Source: the EIP-155 list, chainid.network. */
const CHAINS: ReadonlyMap<number, Chain> = new Map([
  [1, { name: 'Ethereum', coin: 'ETH' }],
  [56, { name: 'Binance Smart Chain', coin: 'BNB' }],
  [137, { name: 'Polygon', coin: 'POL' }],
  [42_161, { name: 'Arbitrum', coin: 'ETH' }],
])

/** A wei, the smallest amount on all these chains, is 10⁻¹⁸ of a coin; a unit is 10⁻⁸. */
const WEI_PER_UNIT = 10n ** 10n

export function chainName(chainId: number): string {
  return CHAINS.get(chainId)?.name ?? english('Unknown Chain')
}

/** Undefined for an unsupported chain. */
export function coinOf(chainId: number): Coin | undefined {
  return CHAINS.get(chainId)?.coin
}

/** Floored, so that it never shows more than there is. */
export function unitsOfWei(wei: bigint): Units {
  return wei / WEI_PER_UNIT
}
