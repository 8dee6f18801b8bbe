import type { Exchange as Client } from 'ccxt'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import { clockNonces, storedNonces, type Nonces } from './nonces.ts'
import { openExchange } from './open-exchange.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/world/database.ts'
import { startExchange, type Exchange } from '../../../test/emulators/exchange.ts'
import { orderSide } from '../../../test/emulators/exchange-orders.ts'
import { UNLIMITED } from '../../../test/emulators/orders/account.ts'

const KEYS = { key: 'key', secret: Buffer.from('secret of the exchange').toString('base64') }
const AT_MS = Date.UTC(2026, 0, 1)

let database: TestDatabase
let exchange: Exchange

beforeEach(async () => {
  ;[database, exchange] = await Promise.all([createTestDatabase(), startExchange()])
  exchange.add(
    orderSide(exchange, {
      ...KEYS,
      balances: { ZUSD: '10' },
      limits: { calls: UNLIMITED, orders: UNLIMITED },
    }),
  )
})
afterEach(async () => {
  await exchange.close()
  await database.drop()
})

/**
 * A client with the key and a clock at `ms`, like another process. By default it shares the
 * database with the others.
 */
async function processAt(
  ms: number,
  nonces: Nonces = storedNonces({ sql: database.sql, now: () => new Date(ms) }),
): Promise<Client> {
  const { restUrl, wsUrl } = exchange
  const client = await openExchange(
    { name: 'kraken', restUrl, wsUrl, apiKey: KEYS.key, secret: KEYS.secret, rateLimitMs: 0.01 },
    nonces,
  )
  client.milliseconds = () => ms
  await client.loadMarkets()
  return client
}

/** Sends signed requests concurrently; returns 'taken' or the error for each. */
async function ask(clients: readonly Client[], times = 20): Promise<string[]> {
  const asked = Array.from({ length: times }, () => clients)
    .flat()
    .map((client) => client.request('Balance', 'private', 'POST'))
  const answers = await Promise.allSettled(asked)
  return answers.map((answer) => (answer.status === 'fulfilled' ? 'taken' : String(answer.reason)))
}

const taken = (count: number): string[] => Array.from({ length: count }, () => 'taken')

test('the exchange accepts all of many requests signed in the same millisecond', async () => {
  expect(await ask([await processAt(AT_MS)])).toEqual(taken(20))
})

test('a process restarted within a millisecond continues above the last nonces', async () => {
  expect(await ask([await processAt(AT_MS)], 1)).toEqual(['taken'])
  expect(await ask([await processAt(AT_MS)], 1)).toEqual(['taken'])
})

test('requests are accepted after the clock is set back, and after its correction', async () => {
  const answers = []
  for (const ms of [AT_MS, AT_MS - HOUR_MS, AT_MS, AT_MS + HOUR_MS])
    answers.push(...(await ask([await processAt(ms)], 1)))
  expect(answers).toEqual(taken(4))
})

test('three processes with different clocks can use one key concurrently', async () => {
  const clients = await Promise.all([AT_MS, AT_MS - HOUR_MS, AT_MS + 1].map((ms) => processAt(ms)))
  expect(await ask(clients)).toEqual(taken(60))
})

test('a failed request does not block the next one', async () => {
  const client = await processAt(AT_MS)
  const failing = client.request('Unheard', 'private', 'POST')
  const next = ask([client], 1)
  await expect(failing).rejects.toThrow('EGeneral:Unknown method')
  expect(await next).toEqual(['taken'])
})

test('nonces are the current time if that is above the last nonce', async () => {
  const nonces = storedNonces({ sql: database.sql, now: () => new Date(AT_MS) })
  const later = storedNonces({ sql: database.sql, now: () => new Date(AT_MS + 5_000) })
  const given = async (from: Nonces) => from((nonce) => Promise.resolve(nonce - AT_MS))
  expect([
    await given(nonces),
    await given(nonces),
    await given(later),
    await given(nonces),
  ]).toEqual([0, 1, 5_000, 5_001])
})

test('without a database, nonces rise within the process, whatever its clock does', async () => {
  let ms = AT_MS
  const client = await processAt(
    AT_MS,
    clockNonces(() => new Date(ms)),
  )
  expect(await ask([client])).toEqual(taken(20))
  ms -= HOUR_MS
  expect(await ask([client])).toEqual(taken(20))
})

test('Binance and Coinbase receive the time, not a nonce of ours', async () => {
  // Binance refuses requests signed a second ahead of its clock.
  for (const [name, behindMs] of [
    ['binance', 500],
    ['coinbase', 0],
  ] as const) {
    const client = await openExchange(
      { name, apiKey: 'key', secret: 'secret' },
      storedNonces({ sql: database.sql, now: () => new Date(0) }),
    )
    client.milliseconds = () => AT_MS
    expect(client.nonce()).toBe(AT_MS - behindMs)
  }
})
