import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { z } from 'zod'
import type { CandleSeries } from '#core/market/candle-series.ts'
import { packCandles, unpackCandles } from '#core/market/packed-candles.ts'
import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { parseCandles } from './candle-text.ts'

/**
 * The first line of a packed file. `sha256`: of all bytes after that line, the candles compressed
 * with Brotli.
 */
const Header = z.strictObject({
  format: z.literal('candles 1'),
  pair: z.enum(PAIRS),
  exchange: z.string().min(1),
  source: z.string().min(1),
  licence: z.string(),
  count: z.number().int().min(1),
  sha256: z.string(),
})
export type CandleOrigin = Pick<z.infer<typeof Header>, 'exchange' | 'source' | 'licence'>

/** POL was MATIC until September 2024. */
const OLD_NAMES: Partial<Record<Pair, string>> = { 'POL/USDT': 'MATIC' }
const PACKED = '.candles'

export const packedFileOf = (directory: string, pair: Pair): string =>
  join(directory, `${baseOf(pair)}USDT${PACKED}`)

/**
 * A packed file, or one whose name starts with the pair and 1h, such as BTCUSDT-1h.csv or
 * BTC_USDT-1h.json. Throws if `directory` has two.
 */
export function findCandleFile(directory: string, pair: Pair): string | undefined {
  const bases = [baseOf(pair), OLD_NAMES[pair]].filter((base) => base !== undefined).join('|')
  const pattern = new RegExp(`^(?:${bases})(?:USDT\\${PACKED}$|[-_]?USDT-1h\\b)`)
  const names = existsSync(directory) ? readdirSync(directory).toSorted() : []
  const [file, other] = names.filter((name) => pattern.test(name))
  if (other !== undefined)
    throw new StartupError(
      `${directory} holds both ${file} and ${other}, candles of the same pair: keep one of them.`,
    )
  return file === undefined ? undefined : join(directory, file)
}

/** Throws `StartupError` if a candle cannot be used, or the file is of another pair. */
export function parseCandleFile(
  bytes: Buffer,
  { file, pair, untilMs }: { file: string; pair: Pair; untilMs: number },
): CandleSeries {
  if (!file.endsWith(PACKED)) return parseCandles(bytes, { file, untilMs })
  const header = headerOf(bytes, file)
  const packed = bytes.subarray(bytes.indexOf('\n') + 1)
  if (header.pair !== pair)
    throw new StartupError(`${file} holds candles of ${header.pair}, not of ${pair}.`)
  if (sha256(packed) !== header.sha256)
    throw new StartupError(
      `${file} is damaged: its candles are not those that its first line describes.`,
    )
  return unpackCandles(brotliDecompressSync(packed), header.count)
}

export function readCandleFile(given: { file: string; pair: Pair; untilMs: number }): CandleSeries {
  return parseCandleFile(readFileSync(given.file), given)
}

export function readCandles(
  directory: string,
  { pair, untilMs }: { pair: Pair; untilMs: number },
): CandleSeries | undefined {
  const file = findCandleFile(directory, pair)
  return file === undefined ? undefined : readCandleFile({ file, pair, untilMs })
}

export function readOrigin(file: string): CandleOrigin & { pair: Pair; count: number } {
  const { pair, exchange, source, licence, count } = headerOf(readFileSync(file), file)
  return { pair, exchange, source, licence, count }
}

/** Undefined if no packed file states it. */
export function originIn(directory: string, pair: Pair): CandleOrigin | undefined {
  const file = findCandleFile(directory, pair)
  return file?.endsWith(PACKED) ? readOrigin(file) : undefined
}

export function packCandleFile(
  series: CandleSeries,
  { pair, exchange, source, licence }: CandleOrigin & { pair: Pair },
): Buffer {
  const columns = packCandles(series)
  const packed = brotliCompressSync(columns, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: columns.length,
    },
  })
  const header: z.infer<typeof Header> = {
    format: 'candles 1',
    pair,
    exchange,
    source,
    licence,
    count: series.length,
    sha256: sha256(packed),
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), packed])
}

function headerOf(bytes: Buffer, file: string): z.infer<typeof Header> {
  try {
    return Header.parse(
      JSON.parse(bytes.subarray(0, Math.max(0, bytes.indexOf('\n'))).toString('utf8')),
    )
  } catch (error) {
    throw new StartupError(
      `${file} cannot be read: its first line does not describe packed candles.`,
      { cause: error },
    )
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
