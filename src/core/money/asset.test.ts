import { expect, test } from 'vitest'
import { ASSET_NAMES, CRYPTO_ASSETS, isCryptoAsset } from './asset.ts'

/** Names of the coins, in the order of the screens. */
const COINS = {
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

test('each asset has its common name', () => {
  expect(ASSET_NAMES).toEqual({ USD: 'US Dollar', ...COINS })
})

test('bots trade every asset except dollars', () => {
  expect(CRYPTO_ASSETS).toEqual(Object.keys(COINS))
  expect(CRYPTO_ASSETS.every(isCryptoAsset)).toBe(true)
  expect(['USD', 'btc', 'DOGE', ''].some(isCryptoAsset)).toBe(false)
})
