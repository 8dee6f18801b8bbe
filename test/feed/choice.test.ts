import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inEnglish } from '#core/sentences.ts'
import { readConfig } from '#server/settings/config.ts'
import { startClock } from '#server/market/clock.ts'
import { openFeed } from '#server/open-context.ts'
import { createTestDatabase, type TestDatabase } from '../world/database.ts'
import { startExchange, type Exchange } from '../emulators/exchange.ts'
import { freePort } from '../process/running-server.ts'

let database: TestDatabase
let exchange: Exchange
let blackHole: Server
beforeEach(async () => {
  ;[database, exchange] = await Promise.all([createTestDatabase(), startExchange()])
  blackHole = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(blackHole, 'listening')
})
afterEach(async () => {
  await exchange.close()
  await database.drop()
  blackHole.close()
})

const NOON_MS = Date.UTC(2026, 5, 1, 12)

/** Opens the feed of a book, and returns the log. `begin`: where a new book would begin now. */
async function choose(environment: Record<string, string>) {
  const lines: string[] = []
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const config = readConfig({
    SESSION_SECRET: 'x'.repeat(32),
    MARKET_FEED: 'auto',
    EXCHANGE_REST_URL: exchange.restUrl,
    EXCHANGE_WS_URL: exchange.wsUrl,
    ...environment,
  })
  const feed = await openFeed({ config, sql: database.sql, log })
  const begin = new Date(feed.beginMs(NOON_MS + 1)).toISOString()
  return { kind: feed.kind, label: inEnglish(feed.label), begin, lines }
}

const follow = (feed: string) => startClock(database.sql, { feed, at: new Date() })

test('a new paper book is live if the exchange answers', async () => {
  expect(await choose({})).toEqual({
    kind: 'live',
    label: 'Live prices from Kraken (USD), paper money',
    begin: '2026-06-01T12:00:00.000Z',
    lines: [],
  })
  expect(exchange.market.calls).toEqual(['Time'])
})

test('a new paper book is simulated, with one line, if the exchange is unreachable', async () => {
  const address = blackHole.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const swallowing = `http://127.0.0.1:${port}`
  for (const EXCHANGE_REST_URL of [
    swallowing,
    `http://127.0.0.1:${await freePort()}`,
    'http://exchange.invalid',
  ]) {
    const { kind, lines } = await choose({ EXCHANGE_REST_URL })
    expect({ kind, lines }).toEqual({
      kind: 'simulated',
      lines: ['kraken does not answer: this book follows the simulated market'],
    })
  }
})

test('a book stays on its market, which needs no request', async () => {
  await follow('simulated:2:24')
  expect(await choose({})).toMatchObject({ kind: 'simulated', lines: [] })
  expect(exchange.market.calls).toEqual([])
})

test('a book that follows an exchange keeps following it while the exchange is down', async () => {
  await follow('live:kraken')
  expect(await choose({ EXCHANGE_REST_URL: 'http://exchange.invalid' })).toMatchObject({
    kind: 'live',
    lines: [],
  })
})

test('a configured market is used without any request', async () => {
  expect(await choose({ MARKET_FEED: 'simulated' })).toMatchObject({ kind: 'simulated', lines: [] })
  expect(await choose({ MARKET_FEED: 'live', EXCHANGE: 'binance' })).toMatchObject({
    kind: 'live',
    label: 'Live prices from Binance (USDT), paper money',
  })
  expect(await choose({ MARKET_FEED: 'live', EXCHANGE: 'coinbase' })).toMatchObject({
    kind: 'live',
    label: 'Live prices from Coinbase (USD), paper money',
  })
  expect(exchange.market.calls).toEqual([])
})

test('a new simulated book begins at the configured time, otherwise at this hour', async () => {
  const MARKET_FEED = 'simulated'
  expect((await choose({ MARKET_FEED })).begin).toBe(new Date(NOON_MS).toISOString())
  const MARKET_START = '2024-03-16T05:00:00Z'
  expect((await choose({ MARKET_FEED, MARKET_START })).begin).toBe('2024-03-16T05:00:00.000Z')
})

test('a book is never moved to another exchange', async () => {
  await follow('live:kraken')
  await expect(follow('live:binance')).rejects.toThrow(
    'follows the market live:kraken, not live:binance',
  )
})
