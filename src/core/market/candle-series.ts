import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import { YEAR_MS, type Candle } from './candle.ts'

/**
 * The closed candles of one pair in columns, oldest first, without holes; only the first `length`
 * entries are valid. Fills use the bigint columns. The signal columns hold the same units as
 * numbers, for indicators only, exact below 2⁵³ units (90 million of quote). Columns are shared
 * memory: passing a series to another thread copies nothing, and entries below `length` never
 * change.
 */
export type CandleSeries = {
  length: number
  openTimesMs: Float64Array
  open: BigInt64Array
  high: BigInt64Array
  low: BigInt64Array
  close: BigInt64Array
  highSignal: Float64Array
  lowSignal: Float64Array
  closeSignal: Float64Array
}

/** An empty series. `capacity`: candles that fit before the columns grow. */
export function createSeries(capacity = 1_024): CandleSeries {
  return {
    length: 0,
    openTimesMs: numbers(capacity),
    open: prices(capacity),
    high: prices(capacity),
    low: prices(capacity),
    close: prices(capacity),
    highSignal: numbers(capacity),
    lowSignal: numbers(capacity),
    closeSignal: numbers(capacity),
  }
}

const numbers = (capacity: number) =>
  new Float64Array(new SharedArrayBuffer(capacity * Float64Array.BYTES_PER_ELEMENT))
const prices = (capacity: number) =>
  new BigInt64Array(new SharedArrayBuffer(capacity * BigInt64Array.BYTES_PER_ELEMENT))

/** Throws `AssertionFailed` unless candles are in order of time and within their high and low. */
export function seriesOf(candles: readonly Candle[]): CandleSeries {
  const series = createSeries(candles.length)
  for (const candle of candles) appendCandle(series, candle)
  return series
}

/**
 * Throws like `seriesOf`. Full columns are replaced: callers must not keep a column across appends.
 */
export function appendCandle(
  series: CandleSeries,
  { openTimeMs, open, high, low, close }: Candle,
): void {
  assert(
    low > 0n && low <= open && low <= close && high >= open && high >= close,
    'a candle lies within its high and low',
  )
  const index = nextIndex(series, openTimeMs)
  series.open[index] = open
  series.high[index] = high
  series.low[index] = low
  series.close[index] = close
  series.highSignal[index] = Number(high)
  series.lowSignal[index] = Number(low)
  series.closeSignal[index] = Number(close)
}

/** Like `appendCandle`, for prices generated as numbers: whole units below 2⁵³. */
export function appendSignals(
  series: CandleSeries,
  { openTimeMs, open, high, low, close }: Record<keyof Candle, number>,
): void {
  assert(
    low > 0 && low <= open && low <= close && high >= open && high >= close,
    'a candle lies within its high and low',
  )
  const index = nextIndex(series, openTimeMs)
  series.open[index] = BigInt(open)
  series.high[index] = BigInt(high)
  series.low[index] = BigInt(low)
  series.close[index] = BigInt(close)
  series.highSignal[index] = high
  series.lowSignal[index] = low
  series.closeSignal[index] = close
}

/** Throws `AssertionFailed` outside the series. */
export function candleAt(series: CandleSeries, index: number): Candle {
  const { open, high, low, close } = series
  return {
    openTimeMs: timeAt(series, index),
    open: priceAt(open, index),
    high: priceAt(high, index),
    low: priceAt(low, index),
    close: priceAt(close, index),
  }
}

/** Throws `AssertionFailed` beyond the end. */
export function priceAt(column: BigInt64Array, index: number): Units {
  const price = column[index]
  assert(price !== undefined, `no candle ${index}`)
  return price
}

/** Candles that open before `timeMs`: at a whole hour, the closed ones. */
export function countBefore(series: CandleSeries, timeMs: number): number {
  let low = 0
  let high = series.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeAt(series, middle) < timeMs) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The latest multiple of `YEAR_MS` at least two years back. On this fixed grid a restarted engine
 * warms up from the same candle as one that kept running.
 */
export function historyStart(nowMs: number): number {
  return Math.floor((nowMs - 2 * YEAR_MS) / YEAR_MS) * YEAR_MS
}

function nextIndex(series: CandleSeries, openTimeMs: number): number {
  const index = series.length
  assert(
    index === 0 || openTimeMs > timeAt(series, index - 1),
    'candles are appended in order of time',
  )
  if (index === series.openTimesMs.length) grow(series)
  series.openTimesMs[index] = openTimeMs
  series.length = index + 1
  return index
}

function timeAt(series: CandleSeries, index: number): number {
  const timeMs = series.openTimesMs[index]
  assert(timeMs !== undefined && index < series.length, `no candle ${index}`)
  return timeMs
}

function grow(series: CandleSeries): void {
  const wider = createSeries(Math.max(16, series.length * 2))
  wider.openTimesMs.set(series.openTimesMs)
  for (const column of ['open', 'high', 'low', 'close'] as const) wider[column].set(series[column])
  for (const column of ['highSignal', 'lowSignal', 'closeSignal'] as const)
    wider[column].set(series[column])
  Object.assign(series, wider, { length: series.length })
}
