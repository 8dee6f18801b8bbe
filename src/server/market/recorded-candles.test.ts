import { statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { candlesBetween } from './candle-cache.ts'
import { packCandleFile, readCandleFile, readCandles } from './candle-file.ts'
import { recordedFiles } from './recorded-candles.ts'

const MARKET = process.env['MARKET_DATA_DIR'] ?? '../shared/market'
const NOWHERE = '/nonexistent'
const untilMs = Date.now()

test('the candles that come with the product are those of the files they were made from, to the last digit', () => {
  const files = recordedFiles(NOWHERE)
  expect(files.map(({ pair, count }) => `${pair} ${count}`)).toEqual(['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT', 'BNB/USDT'].map((pair) => `${pair} 43803`))
  for (const { file, pair } of files) {
    const original = readCandles(MARKET, { pair, untilMs })
    expect(original, `${pair} in ${MARKET}`).toBeDefined()
    // A cut series has columns without room to spare.
    expect(candlesBetween(readCandleFile({ file, pair, untilMs }), { fromMs: 0, toMs: untilMs })).toEqual(original && candlesBetween(original, { fromMs: 0, toMs: untilMs }))
  }
})

test('they name their source and licence, which stands beside them, and take less than 900 kB', async () => {
  const files = recordedFiles(NOWHERE)
  expect(new Set(files.map(({ exchange, licence }) => `${exchange}, ${licence}`))).toEqual(new Set(['Binance, MIT']))
  expect(files.every(({ source }) => source.endsWith('github.com/bernini10/oraculo-de-bitcoin at commit 68eb4ed'))).toBe(true)
  expect(await readFile('data/candles/LICENSE', 'utf8')).toMatch(/^MIT License\n\nCopyright \(c\) 2025 bernini10/)
  expect(files.reduce((sum, { file }) => sum + statSync(file).size, 0)).toBeLessThan(900_000)
})

test('fetched candles add pairs, and stand in for shorter ones that come with the product', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'recorded-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const folder = join(dataDir, 'candles')
  await mkdir(folder)
  const [bitcoin] = recordedFiles(dataDir)
  if (bitcoin === undefined) throw new Error('no candles')
  const series = readCandleFile({ ...bitcoin, untilMs })
  const origin = { exchange: 'Kraken', source: 'its API', licence: '' }
  await writeFile(join(folder, 'LTCUSDT.candles'), packCandleFile(series, { ...origin, pair: 'LTC/USDT' }))
  await cp(bitcoin.file, join(folder, 'BTCUSDT.candles'))
  await writeFile(join(folder, 'ETHUSDT.candles'), packCandleFile(candlesBetween(series, { fromMs: 0, toMs: Date.UTC(2021, 0, 1) }), { ...origin, pair: 'ETH/USDT' }))
  const files = recordedFiles(dataDir)
  expect(files.map(({ pair }) => pair)).toEqual(['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'LTC/USDT', 'XRP/USDT', 'BNB/USDT'])
  expect(files.map(({ file }) => file.startsWith(folder))).toEqual([true, false, false, true, false, false])
})
