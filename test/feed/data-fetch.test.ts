import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCandles } from '#server/market/candle-file.ts'
import { recordedFiles } from '#server/market/recorded-candles.ts'
import { startExchange } from '../emulators/exchange.ts'
import { launch } from '../process/running-server.ts'

/** Runs `npm run data:fetch` with these arguments, from an emulated exchange into a new folder. */
async function fetching(...words: string[]) {
  const exchange = await startExchange({ startMs: Date.now() })
  const dataDir = await mkdtemp(join(tmpdir(), 'fetched-'))
  onTestFinished(async () => {
    await exchange.close()
    await rm(dataDir, { recursive: true })
  })
  const env = { DATA_DIR: dataDir, EXCHANGE: 'kraken', EXCHANGE_REST_URL: exchange.restUrl }
  const run = launch({ program: ['src/server/ops/fetch-candles.ts', ...words], env })
  return { code: await run.ended, output: run.output(), folder: join(dataDir, 'candles'), dataDir }
}

test('candles of the named pairs are fetched into the folder that the evidence reads', async () => {
  const since = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
  const { code, output, folder, dataDir } = await fetching('LTC', 'ada/usdt', 'MATICUSDT', since)
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(output).toMatch(/Kraken's candles since \d{4}-\d\d-\d\d go to .*\/candles\n/)
  expect((await readdir(folder)).toSorted()).toEqual([
    'ADAUSDT.candles',
    'LTCUSDT.candles',
    'POLUSDT.candles',
  ])
  expect(
    readCandles(folder, { pair: 'LTC/USDT', untilMs: Date.now() })?.length,
  ).toBeGreaterThanOrEqual(72)
  expect(recordedFiles(dataDir).find(({ pair }) => pair === 'LTC/USDT')).toMatchObject({
    exchange: 'Kraken',
    source: 'Kraken spot, 1 h, from its public API',
  })
})

test.each([
  [['DOGE'], /^DOGE is none of the pairs that bots trade: BTC\/USDT, /m],
  [['2023-99-01'], /^2023-99-01 is not a date such as 2023-01-01/m],
])('%j is refused with a message', async (words, sentence) => {
  const { code, output } = await fetching(...words)
  expect(code).toBe(1)
  expect(output).toMatch(sentence)
})
