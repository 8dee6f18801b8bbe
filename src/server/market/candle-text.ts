import { gunzipSync } from 'node:zlib'
import type { Candle } from '#core/market/candle.ts'
import { seriesOf, type CandleSeries } from '#core/market/candle-series.ts'
import { intervalFault, judgeCandles } from '#core/market/judge-candles.ts'
import { openTimeOf } from '#core/market/open-time.ts'
import { parseDecimal } from '#core/money/decimal.ts'
import { StartupError } from '#server/kernel/errors.ts'

/**
 * Names of the columns at exchanges and other sources. The most exact come first, because a file
 * may also have the time of the last trade, or the same time as a date. Closing times are not
 * listed.
 */
const NAMES = {
  time:
    'timeperiodstart opentime timeopen candledatetimeutc intervalbegin starttime start ' +
    'startedat unix unixtimestamp tsms timestamp ts mts time t id createdat datetime date',
  open: 'open openprice priceopen openingprice o',
  high: 'high highprice pricehigh max h',
  low: 'low lowprice pricelow min l',
  close: 'close closeprice priceclose tradeprice price c',
}

/** The columns of time, open, high, low and close. */
type Layout = readonly [number, number, number, number, number]

/** Orders of the columns of rows without column names. */
const UNNAMED: readonly Layout[] = [
  [0, 1, 2, 3, 4],
  // Bitfinex, Bithumb, Jesse, KuCoin.
  [0, 1, 3, 4, 2],
  // Coinbase.
  [0, 3, 2, 1, 4],
  // Gate.
  [0, 5, 3, 4, 2],
]

/** The first bytes of files that are no text, in hexadecimal. */
const BINARY: Record<string, string> = {
  '504b0304': 'a zip archive: unpack it, and join its files to one',
  '50415231': 'a Parquet file: convert it to CSV',
  '4152524f5731': 'a Feather file: convert it to CSV or JSON',
  '46454131': 'a Feather file: convert it to CSV or JSON',
  '89484446': 'an HDF5 file: convert it to CSV or JSON',
  d0cf11e0: 'a spreadsheet: save it as CSV',
  '28b52ffd': 'compressed with zstd: compress it with gzip',
  '425a68': 'compressed with bzip2: compress it with gzip',
  fd377a58: 'compressed with xz: compress it with gzip',
  fffe: 'in UTF-16: save it as UTF-8',
}

/**
 * Limit of an unpacked file; hourly candles of thirty years take less. Threat: 1 kB of gzip may
 * unpack to 1 MB.
 */
const MOST_BYTES = 64_000_000
const LONGEST_LINE = 4_000
const SHOWN = 60

/** `file`: its name in sentences. `untilMs`: a later candle cannot have been recorded. */
export type CandleText = { file: string; untilMs: number }

/** Candles as text; `number` counts lines of CSV, and candles in JSON. */
type Table = {
  unit: 'line' | 'candle'
  names: readonly string[] | undefined
  rows: readonly { number: number; cells: readonly string[] }[]
}

/**
 * Parses hourly candles in CSV or JSON, gzipped or not, oldest or newest first. Throws
 * `StartupError` with the file and the line of the first unusable candle.
 */
export function parseCandles(bytes: Buffer, { file, untilMs }: CandleText): CandleSeries {
  const text = textOf(bytes, file)
    .replace(/^\uFEFF/, '')
    .trimEnd()
  const { unit, names, rows } = /^\s*[[{]/.test(text) ? readJson(text, file) : readCsv(text, file)
  const refuse = (row: number, fault: string): never => {
    throw new StartupError(`${file}, ${unit} ${rows[row]?.number ?? 1}: ${fault}.`)
  }
  if (rows.length === 0) throw new StartupError(`${file} holds no candles.`)
  if (hasClosingTimes({ unit, names, rows }))
    return refuse(0, 'the times are those of closes; use candles with the times of their opens')
  const layout = names ? namedLayout(names, file) : unnamedLayout(rows, file)
  const candles = rows.map(({ cells }, row) => {
    const read = candleOf(cells, layout)
    return typeof read === 'string' ? refuse(row, read) : read
  })
  const isNewestFirst = candles.every(
    ({ openTimeMs }, at) => openTimeMs <= (candles[at - 1]?.openTimeMs ?? openTimeMs),
  )
  const ordered = isNewestFirst ? candles.toReversed() : candles
  const fault = intervalFault(ordered)
  if (fault !== undefined)
    throw new StartupError(
      `${file} holds ${fault}; hourly candles are needed: download it with the interval 1h.`,
    )
  const [bad] = judgeCandles(ordered, { untilMs })
  if (!bad) return seriesOf(ordered)
  return refuse(isNewestFirst ? rows.length - 1 - bad.index : bad.index, `the candle ${bad.fault}`)
}

/**
 * Whether the source documents that its rows give closing times. CoinGecko's rows, which end with
 * the close, and Tardis' bars do.
 */
function hasClosingTimes({ unit, names, rows }: Table): boolean {
  if (names) return names.includes('closeTimestamp')
  return unit === 'candle' && rows[0]?.cells.length === 5
}

function textOf(bytes: Buffer, file: string): string {
  const binary = Object.entries(BINARY).find(([start]) =>
    bytes.subarray(0, start.length / 2).equals(Buffer.from(start, 'hex')),
  )
  if (binary) throw new StartupError(`${file} is ${binary[1]}.`)
  const isGzip = file.endsWith('.gz') || bytes.subarray(0, 2).toString('hex') === '1f8b'
  try {
    const unpacked = isGzip ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes
    if (unpacked.length <= MOST_BYTES) return unpacked.toString('utf8')
  } catch (error) {
    if (!(error instanceof RangeError))
      throw new StartupError(`${file} cannot be read: it is not a complete gzip file.`, {
        cause: error,
      })
  }
  throw new StartupError(`${file} has more than 64 MB of text, too much for hourly candles.`)
}

/** Some sites put their address above the names of the columns. */
const ABOVE_NAMES = /^(?:https?:\/\/|www\.|#)/i

function readCsv(text: string, file: string): Table {
  const lines = text.split('\n').flatMap((raw, at) => {
    const line = raw.trim()
    if (line.length > LONGEST_LINE)
      throw new StartupError(`${file}, line ${at + 1}: the line is too long for a candle.`)
    return line === '' || ABOVE_NAMES.test(line) ? [] : [{ number: at + 1, line }]
  })
  const first = lines[0]?.line ?? ''
  const separator = [';', '\t', ','].find((one) => first.includes(one)) ?? ','
  const rows = lines.map(({ number, line }) => ({ number, cells: cellsOf(line, separator) }))
  const names = rows[0]?.cells
  return /^[+-]?\.?\d/.test(names?.[0] ?? '')
    ? { unit: 'line', names: undefined, rows }
    : { unit: 'line', names, rows: rows.slice(1) }
}

/**
 * The cells of a line. A separator within quotes becomes a blank, so that the ambiguous "100,5" and
 * "1,000" are no prices.
 */
function cellsOf(line: string, separator: string): string[] {
  return line
    .replaceAll(/"([^"]*)"/g, (_, quoted: string) => quoted.replaceAll(separator, ' '))
    .split(separator)
    .map((cell) => cell.trim())
}

function readJson(text: string, file: string): Table {
  const list = listIn(parseJson(text, file))
  if (list === undefined) throw new StartupError(`${file} has no list of candles in its JSON.`)
  const [first] = list
  const names = Array.isArray(first) ? undefined : Object.keys(first ?? {})
  const rows = list.map((row, at) => {
    const cells: unknown[] = names?.map((name) => Reflect.get(row, name)) ?? Object.values(row)
    return { number: at + 1, cells: cells.map(String) }
  })
  return { unit: 'candle', names, rows }
}

function parseJson(text: string, file: string): unknown {
  try {
    // Keeps a number as the text in the file, because a float could round it.
    return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? context?.source : value,
    )
  } catch (error) {
    const isLines = /^\s*\{.*\}\s*\n\s*\{/.test(text.slice(0, LONGEST_LINE))
    throw new StartupError(
      isLines
        ? `${file} has a JSON text on each line: join them to one list, [ , ].`
        : `${file} is not valid JSON.`,
      { cause: error },
    )
  }
}

/** The list of candles in a JSON value, which exchanges wrap in other objects. */
function listIn(value: unknown): object[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const isRow = (row: unknown) => typeof row === 'object' && row !== null
  if (Array.isArray(value) && value.length > 0 && value.every(isRow)) return value
  return Object.values(value)
    .map(listIn)
    .find((list) => list !== undefined)
}

function namedLayout(names: readonly string[], file: string): Layout {
  // Among names of one letter, t is the time of the open and T that of the close.
  const known = names.map((name) =>
    name.length === 1 ? name : name.toLowerCase().replaceAll(/[^a-z]/g, ''),
  )
  const columnOf = (field: keyof typeof NAMES) =>
    known.indexOf(NAMES[field].split(' ').find((name) => known.includes(name)) ?? '')
  const layout: Layout = [
    columnOf('time'),
    columnOf('open'),
    columnOf('high'),
    columnOf('low'),
    columnOf('close'),
  ]
  const missing = Object.keys(NAMES).filter((_name, at) => layout[at] === -1)
  if (missing.length === 0) return layout
  throw new StartupError(
    `${file}: no column is named ${missing.join(', ')}. The columns are ` +
      `${names.join().slice(0, SHOWN)}; name them time,open,high,low,close.`,
  )
}

/**
 * The layout in which every high is the highest and every low the lowest. If two qualify, they give
 * equal candles.
 */
function unnamedLayout(rows: Table['rows'], file: string): Layout {
  const fits = (layout: Layout) =>
    rows.every(({ cells }) => {
      const read = candleOf(cells, layout)
      if (typeof read === 'string') return false
      const prices = [read.open, read.close, read.high, read.low]
      return prices.every((price) => price <= read.high && price >= read.low)
    })
  const [layout = UNNAMED[0], other] = UNNAMED.filter(fits)
  const isSame = ({ cells }: Table['rows'][number]) =>
    !other || !layout || other.every((column, at) => cells[column] === cells[layout[at] ?? 0])
  if (layout && rows.every(isSame)) return layout
  throw new StartupError(
    `${file} has no names of columns, and its prices fit two orders: add a first line such as ` +
      'time,open,high,low,close.',
  )
}

/** The candle, or the reason why the row is not one. */
function candleOf(cells: readonly string[], layout: Layout): Candle | string {
  const [time = '', ...prices] = layout.map((column) => cells[column] ?? '')
  const row = cells.join().slice(0, SHOWN)
  if (cells.length < Math.max(...layout) + 1) return `${row} has fewer columns than a candle`
  const openTimeMs = openTimeOf(time)
  if (openTimeMs === undefined)
    return `${time.slice(0, 30) || 'nothing'} is no time such as 1735689600 or 2025-01-31 14:00`
  const [open, high, low, close] = prices.map((price) =>
    // Removes zeros beyond the eighth place.
    parseDecimal(price.replace(/(\.\d{8})0+$/, '$1')),
  )
  if (open === undefined || high === undefined || low === undefined || close === undefined)
    return `a price of ${row} is not a plain decimal of at most 11 digits and 8 places`
  return { openTimeMs, open, high, low, close }
}
