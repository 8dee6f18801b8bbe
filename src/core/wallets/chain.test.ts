import { expect, test } from 'vitest'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { chainName, coinOf, unitsOfWei } from './chain.ts'

test.each([
  [1, 'Ethereum', 'ETH'],
  [56, 'Binance Smart Chain', 'BNB'],
  [137, 'Polygon', 'POL'],
  [42_161, 'Arbitrum', 'ETH'],
  [10, 'Unknown Chain', undefined],
  [0, 'Unknown Chain', undefined],
])('chain %i is %s, and its coin is %s', (chainId, name, coin) => {
  expect([chainName(chainId), coinOf(chainId)]).toEqual([name, coin])
})

test.each([
  ['1234567899999999999', '1.23456789'],
  ['9999999999', '0.00000000'],
  ['10000000000', '0.00000001'],
  ['120000000000000000000000001', '120000000.00000000'],
])('%s wei is shown as %s, rounded down', (wei, text) => {
  expect(unitsToDecimal(unitsOfWei(BigInt(wei)), 8)).toBe(text)
})
