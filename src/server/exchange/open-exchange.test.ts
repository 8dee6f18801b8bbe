import { expect, test } from 'vitest'
import { EXCHANGES, openExchange, type ExchangeName } from './open-exchange.ts'

const NAMES = Object.keys(EXCHANGES) as ExchangeName[]

test.each(NAMES)(
  "%s's client tells time, markets, hourly candles and tickers, and watches tickers, without a key",
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

test.each(NAMES)('every address of %s can lead to another host, by the same path', async (name) => {
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
})

function addressesOf(urls: unknown): string[] {
  if (typeof urls === 'string') return [urls]
  return typeof urls === 'object' && urls !== null ? Object.values(urls).flatMap(addressesOf) : []
}
