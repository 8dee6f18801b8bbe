import { expect, test } from 'vitest'
import { openExchange } from '#server/exchange/open-exchange.ts'
import { startExchange } from './exchange.ts'

test('the official client reads time, status and markets of the emulated exchange', async () => {
  const exchange = await startExchange({ startMs: Date.UTC(2026, 0, 1) })
  const client = await openExchange({ name: 'kraken', restUrl: exchange.restUrl, wsUrl: exchange.wsUrl })
  try {
    const timeMs = (await client.fetchTime()) ?? 0
    expect(Math.abs(timeMs - exchange.clock.nowMs())).toBeLessThan(2_000)
    expect((await client.fetchStatus()).status).toBe('ok')
    const markets = await client.loadMarkets()
    expect(Object.keys(markets).toSorted()).toEqual([...exchange.markets.values()].map(({ symbol }) => symbol).toSorted())
    expect(markets['BTC/USD']).toMatchObject({ id: 'XXBTZUSD', active: true, precision: { price: '0.1', amount: '0.00000001' } })
  } finally {
    await client.close()
    await exchange.close()
  }
})
