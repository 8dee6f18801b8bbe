import { once } from 'node:events'
import type { Exchange as Client } from 'ccxt'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { HOUR_MS } from '#core/market/candle.ts'
import { openExchange } from '#server/exchange/open-exchange.ts'
import { startExchange, type Exchange } from './exchange.ts'
import { candleOf } from './exchange-candles.ts'

const START_MS = Date.UTC(2026, 0, 1, 12, 30)
const HOUR = Date.UTC(2026, 0, 1, 12)

let exchange: Exchange
let client: Client
beforeEach(async () => {
  exchange = await startExchange({ startMs: START_MS })
  client = await openExchange({
    name: 'kraken',
    restUrl: exchange.restUrl,
    wsUrl: exchange.wsUrl,
    rateLimitMs: 2,
  })
})
afterEach(async () => {
  await client.close()
  await exchange.close()
})

test('the official client reads time, status and markets of the emulated exchange', async () => {
  const timeMs = (await client.fetchTime()) ?? 0
  expect(Math.abs(timeMs - exchange.clock.nowMs())).toBeLessThan(2_000)
  expect((await client.fetchStatus()).status).toBe('ok')
  const markets = await client.loadMarkets()
  expect(Object.keys(markets).toSorted()).toEqual(
    [...exchange.markets.values()].map(({ symbol }) => symbol).toSorted(),
  )
  expect(markets['BTC/USD']).toMatchObject({
    id: 'XXBTZUSD',
    active: true,
    precision: { price: '0.1', amount: '0.00000001' },
  })
})

test('the official client reads candles, the latest 720 including the running one', async () => {
  const rows = await client.fetchOHLCV('BTC/USD', '1h')
  const market = exchange.markets.get('XXBTZUSD')
  if (!market) throw new Error('no market of BTC')
  const { open, high, low, close } = candleOf(market, HOUR - HOUR_MS)
  expect(rows).toHaveLength(720)
  expect(rows.at(-2)).toEqual([HOUR - HOUR_MS, open, high, low, close, '1.50000000'])
  expect(rows.at(-1)?.[0]).toBe(HOUR)
  const since = await client.fetchOHLCV('BTC/USD', '1h', HOUR - 5 * HOUR_MS)
  expect(since.map(([time]) => time)).toEqual(
    [5, 4, 3, 2, 1, 0].map((hours) => HOUR - hours * HOUR_MS),
  )
  const old = await client.fetchOHLCV('BTC/USD', '1h', HOUR - 5_000 * HOUR_MS)
  expect(old[0]?.[0]).toBe(HOUR - 719 * HOUR_MS)
})

test('the official client reads tickers by REST and by websocket', async () => {
  expect((await client.fetchTickers(['BTC/USD', 'POL/USD']))['POL/USD']?.last).toBe('0.40000')
  const first = await client.watchTickers(['BTC/USD', 'ETH/USD'], { event_trigger: 'bbo' })
  expect(Object.values(first)[0]?.last).toBeDefined()
  // The snapshots of both markets have arrived: the next update is the trade.
  await expect.poll(() => client.tickers['ETH/USD']?.last).toBe('3000')
  const next = client.watchTicker('ETH/USD')
  exchange.market.trade('ETH/USD', '3210.55')
  expect((await next).last).toBe('3210.55')
})

test('the official client watches candles', async () => {
  const rows = await client.watchOHLCV('SOL/USD', '1h')
  expect(rows.at(-1)?.[0]).toBe(HOUR)
})

test("refusals by the exchange arrive as the client's own errors", async () => {
  await client.loadMarkets()
  const call = (name: string, parameters: object) =>
    client.fetch2(name, 'public', 'GET', parameters)
  await expect(call('OHLC', { pair: 'NOPE', interval: 60 })).rejects.toThrow(
    'EQuery:Unknown asset pair',
  )
  await expect(call('OHLC', { pair: 'XXBTZUSD', interval: 7 })).rejects.toMatchObject({
    name: 'BadRequest',
  })
  await expect(call('Nope', {})).rejects.toMatchObject({ name: 'ExchangeError' })
  exchange.market.faults.failing = ['Time']
  await expect(client.fetchTime()).rejects.toMatchObject({ name: 'ExchangeNotAvailable' })
  exchange.market.faults.callsPerSecond = 0
  const calls = await Promise.allSettled(Array.from({ length: 8 }, () => client.fetchStatus()))
  expect(
    calls
      .filter(({ status }) => status === 'rejected')
      .map((one) => 'reason' in one && one.reason.name),
  ).toEqual(Array.from({ length: 3 }, () => 'DDoSProtection'))
})

test('a socket receives its status, acknowledgements, refusals, heartbeats and pongs', async () => {
  const socket = new WebSocket(`${exchange.wsUrl}/v2`)
  const heard: Record<string, unknown>[] = []
  let heartbeats = 0
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Record<string, unknown>
    // They arrive independently, between other messages.
    if (message['channel'] === 'heartbeat') heartbeats += 1
    else heard.push(message)
  })
  await once(socket, 'open')
  const say = (message: object) => socket.send(JSON.stringify(message))
  say({
    method: 'subscribe',
    params: { channel: 'ticker', symbol: ['BTC/USD', 'NOPE/USD'] },
    req_id: 1,
  })
  say({ method: 'subscribe', params: { channel: 'ticker', symbol: ['BTC/USD'] }, req_id: 2 })
  say({ method: 'ping', req_id: 3 })
  await expect.poll(() => [heard.length, heartbeats > 0]).toEqual([6, true])
  expect(heard[0]).toMatchObject({
    channel: 'status',
    data: [{ system: 'online', api_version: 'v2' }],
  })
  expect(heard[1]).toMatchObject({
    method: 'subscribe',
    req_id: 1,
    success: true,
    result: { channel: 'ticker', symbol: 'BTC/USD' },
  })
  expect(heard[2]).toMatchObject({
    channel: 'ticker',
    type: 'snapshot',
    data: [{ symbol: 'BTC/USD', last: 60_000 }],
  })
  expect(heard[3]).toMatchObject({
    req_id: 1,
    success: false,
    error: 'Currency pair not supported NOPE/USD',
  })
  expect(heard[4]).toMatchObject({ req_id: 2, success: false, error: 'Already subscribed' })
  expect(heard[5]).toMatchObject({ method: 'pong', req_id: 3 })
  socket.close()
})
