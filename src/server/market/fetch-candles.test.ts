import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { candleAt } from '#core/market/candle-series.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import type { MarketSource } from '#server/exchange/market-source.ts'
import { readCandles as read } from './candle-file.ts'
import { fetchCandles, type Fetching } from './fetch-candles.ts'
import { replayFeed } from './feed-replay.ts'

const FROM_MS = Date.UTC(2025, 0, 1)
const HOURS = 1_000

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candles-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const candle = (openTimeMs: number, shift = 0): Candle => {
  const printed = [10, 12, 9, 11].map((price) =>
    (price + shift + ((openTimeMs / HOUR_MS) % 7)).toFixed(2),
  )
  const [open = 0n, high = 0n, low = 0n, close = 0n] = printed.map(decimalToUnits)
  return { openTimeMs, open, high, low, close }
}

type Options = {
  pageSize?: number
  failsAt?: number
  hole?: number
  shift?: number
  latestOnly?: boolean
}

/** An exchange that gives pages, out of order and with doubles, and may fail at a call. */
function source({
  pageSize = 100,
  failsAt,
  hole,
  shift,
  latestOnly = false,
}: Options = {}): MarketSource & { calls: number } {
  const own = {
    calls: 0,
    pageSize,
    timeMs: async () => 0,
    load: async () => ['BTC/USDT'] as const,
    prices: async () => new Map(),
    watch: async () => Promise.reject(new Error('nobody watches here')),
    drop: () => undefined,
    candles: async ({ fromMs }: { fromMs: number }) => {
      own.calls += 1
      if (own.calls === failsAt) throw new Error('the line broke')
      const firstMs = latestOnly ? FROM_MS + (HOURS + 20) * HOUR_MS : fromMs
      const page = Array.from({ length: pageSize }, (_, index) =>
        candle(firstMs + index * HOUR_MS, shift),
      ).filter(({ openTimeMs }) => openTimeMs !== hole)
      return [...page.toReversed(), ...page.slice(0, 3)]
    },
  }
  return own
}

const known = () => read(directory, { pair: 'BTC/USDT', untilMs: Date.now() })

const run = (from: MarketSource, hours = HOURS) => {
  const fetching: Fetching = {
    market: from,
    exchange: 'Test',
    source: 'a test',
    licence: '',
    pairs: undefined,
    directory,
    fromMs: FROM_MS,
    untilMs: FROM_MS + hours * HOUR_MS,
    say: () => undefined,
  }
  return fetchCandles(fetching)
}

test('a folder gets every hour once, in the format of recorded markets', async () => {
  await run(source())
  expect(await readdir(directory)).toEqual(['BTCUSDT.candles'])
  const series = replayFeed({ directory, startMs: undefined, nowMs: Date.now() }).candles({
    pair: 'BTC/USDT',
    fromMs: 0,
    toMs: FROM_MS + 2 * HOURS * HOUR_MS,
  })
  expect(series.length).toBe(HOURS)
  expect(candleAt(series, 2)).toEqual(candle(FROM_MS + 2 * HOUR_MS))
})

test('an interrupted run is continued, and a later one adds the hours since', async () => {
  await expect(run(source({ failsAt: 4 }))).rejects.toThrow('the line broke')
  expect(known()?.length).toBe(300)
  const rest = source()
  await run(rest)
  expect(known()?.length).toBe(HOURS)
  expect(rest.calls).toBeLessThanOrEqual(8)
  await run(source(), HOURS + 5)
  expect(known()?.length).toBe(HOURS + 5)
})

test('an hour without a candle stays a hole', async () => {
  await run(source({ hole: FROM_MS + 500 * HOUR_MS }))
  expect(known()?.length).toBe(HOURS - 1)
})

test('a file that the exchange cannot continue is not changed', async () => {
  await run(source())
  await expect(run(source({ shift: 1 }), HOURS + 5)).rejects.toThrow('fetch into another folder')
  await expect(run(source({ latestOnly: true, pageSize: 10 }), HOURS + 50)).rejects.toThrow(
    'fetch into another folder',
  )
  expect(known()?.length).toBe(HOURS)
})
