import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import { candleAt } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { parseCandles } from './candle-text.ts'
import { packCandleFile, parseCandleFile } from './candle-file.ts'
import { replayFeed } from './feed-replay.ts'

const FROM_MS = Date.UTC(2025, 0, 1)
const NOW_MS = Date.UTC(2026, 0, 1)
const HEADER = 'ts_ms,open,high,low,close,volume'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candle-files-'))
})
afterAll(() => rm(directory, { recursive: true }))

const hour = (index: number) => FROM_MS + index * HOUR_MS
/** Six good lines after the header: line 2 is hour 0. */
const LINES = [
  HEADER,
  ...Array.from({ length: 6 }, (_, index) => `${hour(index)},100,110,90,105,1`),
]
const withLine = (line: number, text: string): string[] =>
  LINES.map((each, index) => (index === line - 1 ? text : each))

/** `lines` as the file of one pair in a folder of its own. */
async function folderWith(files: Record<string, readonly string[] | Buffer>): Promise<string> {
  const folder = await mkdtemp(join(directory, 'folder-'))
  for (const [name, content] of Object.entries(files))
    await writeFile(
      join(folder, name),
      Buffer.isBuffer(content) ? content : gzipSync(`${content.join('\n')}\n`),
    )
  return folder
}

const open = (folder: string) =>
  replayFeed({ directory: folder, startMs: undefined, nowMs: NOW_MS })
const countOf = (folder: string, pair: Pair = 'BTC/USDT') =>
  open(folder).candles({ pair, fromMs: 0, toMs: NOW_MS }).length

const inFile = (line: number, fault: string) => `BTCUSDT-1h.csv.gz, line ${line}: ${fault}.`

test.each<[string, readonly string[] | Buffer, string]>([
  [
    'not gzipped',
    Buffer.from(LINES.join('\n')),
    'BTCUSDT-1h.csv.gz cannot be read: it is not a complete gzip file.',
  ],
  [
    'cut off',
    gzipSync(LINES.join('\n')).subarray(0, 60),
    'BTCUSDT-1h.csv.gz cannot be read: it is not a complete gzip file.',
  ],
  ['empty', Buffer.alloc(0), 'BTCUSDT-1h.csv.gz cannot be read: it is not a complete gzip file.'],
  ['empty inside', [], 'BTCUSDT-1h.csv.gz holds no candles.'],
  ['a header only', [HEADER], 'BTCUSDT-1h.csv.gz holds no candles.'],
  [
    'a page of a website',
    ['<!doctype html>', '<p>Not found</p>'],
    'BTCUSDT-1h.csv.gz: no column is named time, open, high, low, close. The columns are ' +
      '<!doctype html>; name them time,open,high,low,close.',
  ],
  [
    'columns in another order, unnamed',
    withLine(4, `${hour(2)},105,90,110,100,1`),
    inFile(4, 'the candle has a high below its low'),
  ],
  [
    'a line with fewer columns',
    withLine(4, `${hour(2)},100,110`),
    inFile(4, `${hour(2)},100,110 has fewer columns than a candle`),
  ],
  [
    'semicolons in place of commas',
    withLine(4, `${hour(2)};100;110;90;105`),
    inFile(4, `${hour(2)};100;110;90;105 has fewer columns than a candle`),
  ],
  [
    'an empty price',
    withLine(4, `${hour(2)},100,110,,105,1`),
    inFile(
      4,
      `a price of ${hour(2)},100,110,,105,1 is not a plain decimal of at most 11 digits and 8 ` +
        'places',
    ),
  ],
  [
    'letters for a price',
    withLine(4, `${hour(2)},100,110,NaN,105,1`),
    inFile(
      4,
      `a price of ${hour(2)},100,110,NaN,105,1 is not a plain decimal of at most 11 digits ` +
        'and 8 places',
    ),
  ],
  [
    'an exponent',
    withLine(4, `${hour(2)},1e2,110,90,105,1`),
    inFile(
      4,
      `a price of ${hour(2)},1e2,110,90,105,1 is not a plain decimal of at most 11 digits and ` +
        '8 places',
    ),
  ],
  [
    'nine decimals',
    withLine(4, `${hour(2)},100.123456789,110,90,105,1`),
    inFile(
      4,
      `a price of ${hour(2)},100.123456789,110,90,105,1 is not a plain decimal of at most 11 ` +
        'digits and 8 places',
    ),
  ],
  [
    'no time',
    withLine(4, ',100,110,90,105,1'),
    inFile(4, 'nothing is no time such as 1735689600 or 2025-01-31 14:00'),
  ],
  [
    'a negative time',
    withLine(4, '-3600000,100,110,90,105,1'),
    inFile(4, '-3600000 is no time such as 1735689600 or 2025-01-31 14:00'),
  ],
  [
    'candles of a minute',
    withLine(4, `${hour(1) + 60_000},100,110,90,105,1`),
    inFile(4, 'the candle does not open at a whole hour'),
  ],
  [
    'a negative price',
    withLine(4, `${hour(2)},100,110,-90,105,1`),
    inFile(4, 'the candle has a price that is not above zero'),
  ],
  [
    'a price of zero',
    withLine(4, `${hour(2)},100,110,0,105,1`),
    inFile(4, 'the candle has a price that is not above zero'),
  ],
  [
    'a high below the low',
    withLine(4, `${hour(2)},100,90,110,105,1`),
    inFile(4, 'the candle has a high below its low'),
  ],
  [
    'a close above the high',
    withLine(4, `${hour(2)},100,110,90,111,1`),
    inFile(4, 'the candle closes outside its high and low'),
  ],
  [
    'an open below the low',
    withLine(4, `${hour(2)},89,110,90,105,1`),
    inFile(4, 'the candle opens outside its high and low'),
  ],
  [
    'two lines swapped',
    [...LINES.slice(0, 3), ...LINES.slice(3, 5).toReversed(), ...LINES.slice(5)],
    inFile(5, 'the candle is of 2025-01-01 02:00, earlier than the candle before it'),
  ],
  [
    'a line twice',
    [...LINES.slice(0, 3), ...LINES.slice(2)],
    inFile(4, 'the candle repeats the hour 2025-01-01 01:00'),
  ],
  [
    'two files joined in the wrong order',
    [...LINES, ...LINES.slice(1)],
    inFile(8, 'the candle is of 2025-01-01 00:00, earlier than the candle before it'),
  ],
  [
    'a second header within',
    [...LINES, HEADER],
    inFile(8, 'ts_ms is no time such as 1735689600 or 2025-01-31 14:00'),
  ],
  [
    'a price above 2^53 units',
    withLine(4, `${hour(2)},100,90071993,90,105,1`),
    inFile(
      4,
      'the candle has a price above 90 million, which is more than can be computed exactly',
    ),
  ],
  [
    'a price of more digits than an amount has',
    withLine(4, `${hour(2)},100,999999999999,90,105,1`),
    inFile(
      4,
      `a price of ${hour(2)},100,999999999999,90,105,1 is not a plain decimal of at most 11 ` +
        'digits and 8 places',
    ),
  ],
  [
    'years beyond the present',
    [...LINES, `${Date.UTC(2035, 0, 1)},100,110,90,105,1`],
    inFile(8, 'the candle is of 2035-01-01 00:00, an hour that is not over yet'),
  ],
  [
    'the hour that still runs',
    [...LINES, `${NOW_MS},100,110,90,105,1`],
    inFile(8, 'the candle is of 2026-01-01 00:00, an hour that is not over yet'),
  ],
  [
    'years before any market',
    withLine(2, `${Date.UTC(2001, 0, 1)},100,110,90,105,1`),
    inFile(2, 'the candle is of 2001-01-01 00:00, before any coin was traded'),
  ],
  [
    'a candle a hundred times its neighbors',
    withLine(4, `${hour(2)},10000,11000,9000,10500,1`),
    inFile(4, 'the candle has prices 20 times those of the candles around it'),
  ],
])('%s: one sentence with the file and the line', async (_name, content, sentence) => {
  const folder = await folderWith({ 'BTCUSDT-1h.csv.gz': content })
  expect(() => open(folder)).toThrow(
    expect.objectContaining({ name: 'StartupError', message: join(folder, sentence) }),
  )
})

test.each<[string, readonly string[]]>([
  ['no header: no hour is lost', LINES.slice(1)],
  [
    'lines as Windows ends them, and a mark of byte order',
    [`\uFEFF${HEADER}\r`, ...LINES.slice(1).map((line) => `${line}\r`)],
  ],
  ['only the columns that are needed', LINES.map((line) => line.split(',').slice(0, 5).join())],
  [
    'other names, in capitals and quotes',
    ['"Open_Time","Open","High","Low","Close","Ignored"', ...LINES.slice(1)],
  ],
  [
    "more columns, as in an exchange's own files",
    LINES.map((line) => `${line},1735693199999999,123.5,42,0.5,51.2,0`),
  ],
  [
    'columns in another order, as their header says',
    [
      'ts_ms,close,low,high,open',
      ...LINES.slice(1).map((line) => line.replace('100,110,90,105', '105,90,110,100')),
    ],
  ],
  ['quotes around prices', LINES.map((line) => line.replaceAll(/,(\d+)/g, ',"$1"'))],
  ['microseconds', LINES.map((line) => line.replace(/^\d+/, '$&000'))],
  [
    'milliseconds, and microseconds from some hour on',
    LINES.map((line, index) => (index > 3 ? line.replace(/^\d+/, '$&000') : line)),
  ],
])('%s', async (_name, lines) => {
  const folder = await folderWith({ 'BTCUSDT-1h.csv.gz': lines })
  const series = open(folder).candles({ pair: 'BTC/USDT', fromMs: 0, toMs: NOW_MS })
  expect([...series.openTimesMs.subarray(0, series.length)]).toEqual([0, 1, 2, 3, 4, 5].map(hour))
  expect(candleAt(series, 5)).toEqual({
    openTimeMs: hour(5),
    open: 10_000_000_000n,
    high: 11_000_000_000n,
    low: 9_000_000_000n,
    close: 10_500_000_000n,
  })
})

test('MATIC is read as POL, and a folder with both names is refused', async () => {
  expect(countOf(await folderWith({ 'MATICUSDT-1h.csv.gz': LINES }), 'POL/USDT')).toBe(6)
  const both = await folderWith({ 'MATICUSDT-1h.csv.gz': LINES, 'POLUSDT-1h.csv.gz': LINES })
  expect(() => open(both)).toThrow(
    `${both} holds both MATICUSDT-1h.csv.gz and POLUSDT-1h.csv.gz, candles of the same pair: ` +
      'keep one of them.',
  )
})

const ORIGIN = { pair: 'BTC/USDT', exchange: 'Test', source: 'a test', licence: '' } as const
const packed = () =>
  packCandleFile(
    parseCandles(gzipSync(LINES.join('\n')), { file: 'BTCUSDT-1h.csv.gz', untilMs: NOW_MS }),
    ORIGIN,
  )

test('a packed file is read like its CSV', async () => {
  expect(countOf(await folderWith({ 'BTCUSDT.candles': packed() }))).toBe(6)
})

test.each<[string, () => Buffer, string]>([
  [
    'cut off',
    () => packed().subarray(0, -3),
    'BTCUSDT.candles is damaged: its candles are not those that its first line describes.',
  ],
  [
    'changed',
    () => Buffer.concat([packed().subarray(0, -1), Buffer.from([0])]),
    'BTCUSDT.candles is damaged: its candles are not those that its first line describes.',
  ],
  [
    'of another pair',
    () =>
      packCandleFile(
        parseCandleFile(packed(), { file: 'x.candles', pair: 'BTC/USDT', untilMs: NOW_MS }),
        { ...ORIGIN, pair: 'ETH/USDT' },
      ),
    'BTCUSDT.candles holds candles of ETH/USDT, not of BTC/USDT.',
  ],
  [
    'a CSV',
    () => gzipSync(LINES.join('\n')),
    'BTCUSDT.candles cannot be read: its first line does not describe packed candles.',
  ],
])('a packed file that is %s is refused', async (_name, bytes, sentence) => {
  const folder = await folderWith({ 'BTCUSDT.candles': bytes() })
  expect(() => open(folder)).toThrow(join(folder, sentence))
  expect(await readFile(join(folder, 'BTCUSDT.candles'))).toEqual(bytes())
})
