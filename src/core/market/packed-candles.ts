import { assert } from '#core/assert.ts'
import { HOUR_MS } from './candle.ts'
import { appendSignals, createSeries, type CandleSeries } from './candle-series.ts'

/** Number of candles that share a tick, the largest common step of their prices. */
const BLOCK = 168

/**
 * Writes a series as six columns of whole numbers, for compression: the hours missing before each
 * candle, the tick of each block in units, and in ticks: open minus last close, close minus open,
 * high above both, low below both. Numbers are base 128, lowest digits first; the top bit of a byte
 * says that more follow. Opens and closes carry their sign in the lowest bit, 1 for negative.
 * Exact.
 */
export function packCandles({
  length,
  openTimesMs,
  open,
  high,
  low,
  close,
}: CandleSeries): Uint8Array {
  const [missing, ticks, opens, closes, highs, lows] = [
    writer(),
    writer(),
    writer(),
    writer(),
    writer(),
    writer(),
  ]
  let lastHour = -1
  let last = 0n
  let tick = 1n
  for (let index = 0; index < length; index += 1) {
    if (index % BLOCK === 0) {
      const block = [open, high, low, close].flatMap((column) => [
        ...column.subarray(index, Math.min(length, index + BLOCK)),
      ])
      tick = block.reduce(commonDivisor, last)
      ticks.write(Number(tick))
    }
    const hour = (openTimesMs[index] ?? 0) / HOUR_MS
    const [first = 0n, highest = 0n, lowest = 0n, final = 0n] = [
      open[index],
      high[index],
      low[index],
      close[index],
    ]
    missing.write(hour - lastHour - 1)
    opens.writeSigned(Number((first - last) / tick))
    closes.writeSigned(Number((final - first) / tick))
    highs.write(Number((highest - (first > final ? first : final)) / tick))
    lows.write(Number(((first < final ? first : final) - lowest) / tick))
    lastHour = hour
    last = final
  }
  return Uint8Array.from([missing, ticks, opens, closes, highs, lows].flatMap(({ bytes }) => bytes))
}

/** Throws `AssertionFailed` unless `bytes` holds exactly `count` candles. */
export function unpackCandles(bytes: Uint8Array, count: number): CandleSeries {
  const { read, readSigned, isAtEnd } = reader(bytes)
  const column = (length: number, next: () => number) => Float64Array.from({ length }, next)
  const missing = column(count, read)
  const ticks = column(Math.ceil(count / BLOCK), read)
  const [opens, closes, highs, lows] = [
    column(count, readSigned),
    column(count, readSigned),
    column(count, read),
    column(count, read),
  ]
  assert(isAtEnd(), 'packed candles end with their last column')
  const series = createSeries(count)
  let hour = -1
  let last = 0
  for (let index = 0; index < count; index += 1) {
    const tick = ticks[Math.floor(index / BLOCK)] ?? 0
    const open = last + (opens[index] ?? 0) * tick
    const close = open + (closes[index] ?? 0) * tick
    hour += (missing[index] ?? 0) + 1
    appendSignals(series, {
      openTimeMs: hour * HOUR_MS,
      open,
      high: Math.max(open, close) + (highs[index] ?? 0) * tick,
      low: Math.min(open, close) - (lows[index] ?? 0) * tick,
      close,
    })
    last = close
  }
  return series
}

function commonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : commonDivisor(b, a % b)
}

function writer() {
  const bytes: number[] = []
  const write = (value: number): void => {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  /** Not `2 * value`, which would be inexact above 2⁵². */
  const writeSigned = (value: number): void => {
    const size = Math.abs(value)
    const first = (size % 64) * 2 + (value < 0 ? 1 : 0)
    bytes.push(size < 64 ? first : first + 128)
    if (size >= 64) write(Math.floor(size / 64))
  }
  return { bytes, write, writeSigned }
}

function reader(bytes: Uint8Array) {
  let at = 0
  const next = (): number => {
    const byte = bytes[at]
    assert(byte !== undefined, 'packed candles are complete')
    at += 1
    return byte
  }
  const read = (): number => {
    let value = 0
    let weight = 1
    for (let byte = next(); ; byte = next(), weight *= 128) {
      value += (byte % 128) * weight
      if (byte < 128) return value
    }
  }
  const readSigned = (): number => {
    const first = next()
    const size = Math.floor((first % 128) / 2) + (first < 128 ? 0 : read() * 64)
    return first % 2 === 1 ? -size : size
  }
  return { read, readSigned, isAtEnd: () => at === bytes.length }
}
