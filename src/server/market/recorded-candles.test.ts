import { statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Pair } from '#core/market/pair.ts'
import { readRegister } from '#server/evidence/trial-register.ts'
import { candlesBetween } from './candle-cache.ts'
import { hashOf } from '../../../test/evidence/recompute.ts'
import { readPackedHours } from '../../../test/evidence/packed-hours.ts'
import { packCandleFile, readCandleFile } from './candle-file.ts'
import { recordedFiles } from './recorded-candles.ts'

const NOWHERE = '/nonexistent'
const untilMs = Date.now()

test('recorded candles equal those of an independent reader, to the last digit', () => {
  const files = recordedFiles(NOWHERE)
  expect(files.map(({ pair, count }) => `${pair} ${count}`)).toEqual(
    ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT', 'BNB/USDT'].map((pair) => `${pair} 43803`),
  )
  const coins = files.map(({ file, pair }) => ({ name: pair, hours: readPackedHours(file) }))
  for (const [which, { file, pair }] of files.entries()) {
    const hours = coins[which]?.hours ?? []
    const { openTimesMs, open, high, low, close, length } = readCandleFile({ file, pair, untilMs })
    const read = Array.from({ length }, (_, at) => ({
      at: openTimesMs[at],
      open: open[at],
      high: high[at],
      low: low[at],
      close: close[at],
    }))
    expect(
      read.findIndex(
        (hour, at) => JSON.stringify(hour, exact) !== JSON.stringify(hours[at], exact),
      ),
      `${pair}: the first candle that differs`,
    ).toBe(-1)
    const highest = hours.reduce((top, hour) => (hour.high > top.high ? hour : top))
    expect(
      { price: highest.high, day: new Date(highest.at).toISOString().slice(0, 10) },
      `the highest price of ${pair}`,
    ).toEqual(HIGHEST[pair])
  }
  // Every row of the register names the candles on which it was computed, except the audit's rows.
  const named = readRegister().rows.flatMap(({ on }) => ('candles' in on ? [on.candles] : []))
  expect(new Set(named)).toEqual(new Set([hashOf(coins)]))
})

const exact = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value

/** The highest prices that Binance's charts show of these years, in dollars, and their days. */
const HIGHEST: Partial<Record<Pair, { price: bigint; day: string }>> = {
  'BTC/USDT': { price: 12_447_400_000_000n, day: '2025-08-14' },
  'ETH/USDT': { price: 495_678_000_000n, day: '2025-08-24' },
  'SOL/USDT': { price: 29_583_000_000n, day: '2025-01-19' },
  'XRP/USDT': { price: 366_070_000n, day: '2025-07-18' },
  'BNB/USDT': { price: 100_688_000_000n, day: '2025-09-18' },
}

test('shipped candles name their source and licence, and weigh less than 900 kB', async () => {
  const files = recordedFiles(NOWHERE)
  expect(new Set(files.map(({ exchange, licence }) => `${exchange}, ${licence}`))).toEqual(
    new Set(['Binance, MIT']),
  )
  expect(
    files.every(({ source }) =>
      source.endsWith('github.com/bernini10/oraculo-de-bitcoin at commit 68eb4ed'),
    ),
  ).toBe(true)
  expect(await readFile('data/candles/LICENSE', 'utf8')).toMatch(
    /^MIT License\n\nCopyright \(c\) 2025 bernini10/,
  )
  expect(files.reduce((sum, { file }) => sum + statSync(file).size, 0)).toBeLessThan(900_000)
})

test('fetched candles add pairs, and replace shipped candles that are shorter', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'recorded-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const folder = join(dataDir, 'candles')
  await mkdir(folder)
  const [bitcoin] = recordedFiles(dataDir)
  if (bitcoin === undefined) throw new Error('no candles')
  const series = readCandleFile({ ...bitcoin, untilMs })
  const origin = { exchange: 'Kraken', source: 'its API', licence: '' }
  await writeFile(
    join(folder, 'LTCUSDT.candles'),
    packCandleFile(series, { ...origin, pair: 'LTC/USDT' }),
  )
  await cp(bitcoin.file, join(folder, 'BTCUSDT.candles'))
  await writeFile(
    join(folder, 'ETHUSDT.candles'),
    packCandleFile(candlesBetween(series, { fromMs: 0, toMs: Date.UTC(2021, 0, 1) }), {
      ...origin,
      pair: 'ETH/USDT',
    }),
  )
  const files = recordedFiles(dataDir)
  expect(files.map(({ pair }) => pair)).toEqual([
    'BTC/USDT',
    'ETH/USDT',
    'SOL/USDT',
    'LTC/USDT',
    'XRP/USDT',
    'BNB/USDT',
  ])
  expect(files.map(({ file }) => file.startsWith(folder))).toEqual([
    true,
    false,
    false,
    true,
    false,
    false,
  ])
})
