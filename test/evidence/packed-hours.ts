import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { Hour } from './recompute.ts'

/**
 * A reader of packed candles that shares nothing with the product: written from the description in
 * src/core/market/packed-candles.ts.
 */

const HOUR = 3_600_000
/** Candles that share a tick. */
const BLOCK = 168n

/** The hours of a file, all whole numbers exact. */
export function readPackedHours(file: string): Hour[] {
  const bytes = readFileSync(file)
  const lineEnd = bytes.indexOf(10)
  const { count } = JSON.parse(bytes.toString('utf8', 0, lineEnd)) as { count: number }
  const numbers = numbersIn(brotliDecompressSync(bytes.subarray(lineEnd + 1)))
  const blocks = Math.ceil(count / Number(BLOCK))
  const lengths = [count, blocks, count, count, count, count]
  if (numbers.length !== lengths.reduce((sum, length) => sum + length, 0))
    throw new Error(`${file} holds ${numbers.length} numbers`)
  const columns = lengths.map((length, which) => {
    const from = lengths.slice(0, which).reduce((sum, before) => sum + before, 0)
    return numbers.slice(from, from + length)
  })
  return hoursOf(columns, count)
}

/** The packed files of a folder by the symbols in their names, such as BTCUSDT. */
export const packedFile = (folder: string, symbol: string): string =>
  join(folder, `${symbol}.candles`)

function hoursOf(
  [missing = [], ticks = [], opens = [], closes = [], highs = [], lows = []]: bigint[][],
  count: number,
): Hour[] {
  const hours: Hour[] = []
  let [hour, last] = [-1n, 0n]
  for (let index = 0; index < count; index += 1) {
    const tick = ticks[Number(BigInt(index) / BLOCK)] ?? 0n
    hour += (missing[index] ?? 0n) + 1n
    const open = last + signed(opens[index]) * tick
    const close = open + signed(closes[index]) * tick
    const high = (open > close ? open : close) + (highs[index] ?? 0n) * tick
    const low = (open < close ? open : close) - (lows[index] ?? 0n) * tick
    hours.push({ at: Number(hour) * HOUR, open, high, low, close })
    last = close
  }
  return hours
}

/** Seven bits a byte, the lowest first; the top bit says that more follow. */
function numbersIn(bytes: Uint8Array): bigint[] {
  const numbers: bigint[] = []
  let [value, shift] = [0n, 0n]
  for (const byte of bytes) {
    value |= BigInt(byte & 127) << shift
    shift += 7n
    if (byte < 128) {
      numbers.push(value)
      ;[value, shift] = [0n, 0n]
    }
  }
  return numbers
}

/** The lowest bit is the sign. */
function signed(number = 0n): bigint {
  return number % 2n === 1n ? -(number / 2n) : number / 2n
}
