/** The coins that bots trade. Source: the product's list of pairs, each against USDT. */
export const CRYPTO_ASSETS = [
  'BTC',
  'ETH',
  'ADA',
  'DOT',
  'SOL',
  'AVAX',
  'POL',
  'LINK',
  'UNI',
  'LTC',
  'XRP',
  'BNB',
] as const

export type CryptoAsset = (typeof CRYPTO_ASSETS)[number]
export type Asset = 'USD' | CryptoAsset

/** Names for people. MATIC became POL in September 2024, one to one; the name shows both. */
export const ASSET_NAMES: Record<Asset, string> = {
  USD: 'US Dollar',
  BTC: 'Bitcoin',
  ETH: 'Ethereum',
  ADA: 'Cardano',
  DOT: 'Polkadot',
  SOL: 'Solana',
  AVAX: 'Avalanche',
  POL: 'MATIC (POL)',
  LINK: 'Chainlink',
  UNI: 'Uniswap',
  LTC: 'Litecoin',
  XRP: 'XRP',
  BNB: 'BNB',
}

export function isCryptoAsset(text: string): text is CryptoAsset {
  return (CRYPTO_ASSETS as readonly string[]).includes(text)
}
