import { expect, test } from 'vitest'
import { PAIRS } from '#core/market/pair.ts'
import { symbolsOf } from './symbols.ts'

const traded =
  (...symbols: string[]) =>
  (symbol: string) =>
    symbols.includes(symbol)

test('a pair is found against dollars first, then against a token of a dollar', () => {
  const symbols = symbolsOf('kraken', traded('BTC/USD', 'BTC/USDT', 'ETH/USDT'))
  expect([...symbols]).toEqual([
    ['BTC/USDT', 'BTC/USD'],
    ['ETH/USDT', 'ETH/USDT'],
  ])
})

test('POL is found under its old name where the exchange still uses it', () => {
  expect(symbolsOf('binance', traded('MATIC/USDT')).get('POL/USDT')).toBe('MATIC/USDT')
  expect(symbolsOf('binance', traded('MATIC/USDT', 'POL/USDT')).get('POL/USDT')).toBe('POL/USDT')
})

test('pairs that an exchange lacks are left out', () => {
  expect(symbolsOf('coinbase', () => false).size).toBe(0)
  expect(symbolsOf('coinbase', () => true).size).toBe(PAIRS.length)
})
