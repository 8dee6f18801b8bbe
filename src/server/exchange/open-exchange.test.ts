import { expect, test } from 'vitest'
import {
  EXCHANGES,
  openExchange,
  type ExchangeName,
  symbolsOf,
  RETRY_FLOOR_MS,
  retryDelayMs,
} from './open-exchange.ts'
import { PAIRS } from '#core/market/pair.ts'
import fc from 'fast-check'

const NAMES = Object.keys(EXCHANGES) as ExchangeName[]

test.each(NAMES)(
  "%s's client reads time, markets, hourly candles and tickers without a key",
  async (name) => {
    const client = await openExchange({ name })
    expect(client.id).toBe(name)
    expect(client.apiKey).toBeUndefined()
    const lacking = [
      'fetchTime',
      'fetchMarkets',
      'fetchOHLCV',
      'fetchTickers',
      'watchTickers',
    ].filter((ability) => client.has[ability] !== true)
    expect(lacking).toEqual([])
    expect(client.timeframes['1h']).toBeDefined()
    expect(client.enableRateLimit).toBe(true)
  },
)

test.each(NAMES)(
  'every address of %s can be moved to another host, with the same path',
  async (name) => {
    const usual = await openExchange({ name })
    const client = await openExchange({
      name,
      restUrl: 'http://127.0.0.1:1/',
      wsUrl: 'ws://127.0.0.1:2',
    })
    const [before, after] = [addressesOf(usual.urls['api']), addressesOf(client.urls['api'])]
    expect(after.length).toBe(before.length)
    for (const [index, address] of after.entries()) {
      const was = before[index] ?? ''
      const host = was.startsWith('ws') ? 'ws://127.0.0.1:2' : 'http://127.0.0.1:1'
      expect(address).toBe(was.replace(/^\w+:\/\/[^/]+/, host))
    }
  },
)

function addressesOf(urls: unknown): string[] {
  if (typeof urls === 'string') return [urls]
  return typeof urls === 'object' && urls !== null ? Object.values(urls).flatMap(addressesOf) : []
}

const traded =
  (...symbols: string[]) =>
  (symbol: string) =>
    symbols.includes(symbol)

test('a pair is looked up against dollars first, then against a dollar token', () => {
  const symbols = symbolsOf('kraken', traded('BTC/USD', 'BTC/USDT', 'ETH/USDT'))
  expect([...symbols]).toEqual([
    ['BTC/USDT', 'BTC/USD'],
    ['ETH/USDT', 'ETH/USDT'],
  ])
})

test('POL is found under its old name if the exchange still uses it', () => {
  expect(symbolsOf('binance', traded('MATIC/USDT')).get('POL/USDT')).toBe('MATIC/USDT')
  expect(symbolsOf('binance', traded('MATIC/USDT', 'POL/USDT')).get('POL/USDT')).toBe('POL/USDT')
})

test('pairs that an exchange lacks are left out', () => {
  expect(symbolsOf('coinbase', () => false).size).toBe(0)
  expect(symbolsOf('coinbase', () => true).size).toBe(PAIRS.length)
})

test('each failure is retried after one second to half a minute', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 1_000_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (failures, random) => {
        const delayMs = retryDelayMs({ failures, random })
        expect(delayMs).toBeGreaterThanOrEqual(RETRY_FLOOR_MS)
        expect(delayMs).toBeLessThan(30_001)
      },
    ),
  )
})

test('the wait grows with each failure', () => {
  expect(
    [1, 2, 3, 4, 5, 6]
      .map((failures) => retryDelayMs({ failures, random: 0.999_999 }))
      .map(Math.round),
  ).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})
