import { expect, test } from 'vitest'
import { baseOf, PAIRS } from '#core/market/pair.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { pairText } from '#app/market/market-text.ts'
import { coinsText } from './bot-row.tsx'

test('all screens have the same short and full name of a coin, and the same pair', () => {
  const shown = PAIRS.map((pair) => [coinsText([pair]), ASSET_NAMES[baseOf(pair)], pairText(pair)])
  expect(shown).toEqual([
    ['BTC', 'Bitcoin', 'BTC/USDT'],
    ['ETH', 'Ethereum', 'ETH/USDT'],
    ['ADA', 'Cardano', 'ADA/USDT'],
    ['DOT', 'Polkadot', 'DOT/USDT'],
    ['SOL', 'Solana', 'SOL/USDT'],
    ['AVAX', 'Avalanche', 'AVAX/USDT'],
    ['POL', 'MATIC (POL)', 'MATIC (POL)/USDT'],
    ['LINK', 'Chainlink', 'LINK/USDT'],
    ['UNI', 'Uniswap', 'UNI/USDT'],
    ['LTC', 'Litecoin', 'LTC/USDT'],
    ['XRP', 'XRP', 'XRP/USDT'],
    ['BNB', 'BNB', 'BNB/USDT'],
  ])
})
