import type { Candle } from '#core/market/candle.ts'
import {
  appendCandle,
  candleAt,
  countBefore,
  createSeries,
  type CandleSeries,
} from '#core/market/candle-series.ts'
import { hourText, judgeCandles } from '#core/market/judge-candles.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import type { Sql } from '#server/db/open.ts'
import {
  findCandleColumns,
  findCandlesAfter,
  keepCandles,
  type CandleColumns,
  type StoredCandle,
} from './candle-store.ts'

/** The closed candles of a live market: in the database, with a copy in memory. */
export type CandleArchive = {
  series: (pair: Pair) => CandleSeries
  has: (pair: Pair, openTimeMs: number) => boolean
  /**
   * Rises when a candle arrives that is older than the latest: results computed from the series
   * must be recomputed.
   */
  version: (pair: Pair) => number
  /** Stores closed candles in any order and any number of times; known candles stay unchanged. */
  add: (candles: { pair: Pair; source: string; candles: readonly Candle[] }) => Promise<void>
  /** Loads candles that other processes stored. */
  refresh: () => Promise<void>
  /** How often an exchange sent a stored candle again with other values. */
  corrections: () => number
}

/**
 * Ids become visible in commit order, not in numeric order: this many before the last are read
 * again.
 */
const OVERLAP = 2_000n

/** Bytes of a number in a column. */
const BYTES = 8

/** Candles beside those that arrive, which they are judged by. */
const BESIDE = 24

/** Each round of requests receives bad candles again. */
const MOST_REMEMBERED_FAULTS = 1_000

type Log = { warn: (message: string) => void }

export async function openCandleArchive(sql: Sql, log: Log): Promise<CandleArchive> {
  const kept = new Map<Pair, { series: CandleSeries; version: number }>(
    PAIRS.map((pair) => [pair, { series: createSeries(), version: 0 }]),
  )
  const of = (pair: Pair) => kept.get(pair) ?? { series: createSeries(0), version: 0 }
  let lastId = 0n
  let corrections = 0
  const logged = new Set<string>()
  /**
   * Threat: an exchange may send anything. A bad candle stays a hole, logged once; an outlier is
   * stored once others confirm it.
   */
  const sound = (pair: Pair, candles: readonly Candle[]): Candle[] => {
    const { good, faults } = soundCandles(of(pair).series, candles)
    for (const fault of faults) {
      const line = `${pair}: the exchange's candle of ${fault}`
      if (!logged.has(line)) log.warn(line)
      if (logged.size > MOST_REMEMBERED_FAULTS) logged.clear()
      logged.add(line)
    }
    return good
  }

  const take = (rows: readonly StoredCandle[]): void => {
    for (const pair of new Set(rows.map((row) => row.pair))) {
      const own = of(pair)
      const added = merge(
        own.series,
        rows.filter((row) => row.pair === pair),
      )
      if (!added.inOrder) own.version += 1
      own.series = added.series
    }
    for (const { id } of rows) if (id > lastId) lastId = id
  }

  const refresh = async () => take(await findCandlesAfter(sql, { id: lastId, overlap: OVERLAP }))
  for (const columns of await findCandleColumns(sql)) {
    of(columns.pair).series = seriesFrom(columns)
    if (columns.lastId > lastId) lastId = columns.lastId
  }
  return {
    series: (pair) => of(pair).series,
    has: (pair, openTimeMs) => indexOf(of(pair).series, openTimeMs) !== undefined,
    version: (pair) => of(pair).version,
    add: async ({ pair, source, candles }) => {
      const { series } = of(pair)
      const sane = sound(pair, candles)
      corrections += sane.filter((candle) => differs(series, candle)).length
      const missing = sane.filter(({ openTimeMs }) => indexOf(series, openTimeMs) === undefined)
      if (missing.length > 0) take(await keepCandles(sql, { pair, source, candles: missing }))
    },
    refresh,
    corrections: () => corrections,
  }
}

function seriesFrom({ openTime, open, high, low, close }: CandleColumns): CandleSeries {
  const count = openTime.length / BYTES
  const series = createSeries(count)
  for (let at = 0; at < openTime.length; at += BYTES) {
    appendCandle(series, {
      openTimeMs: Number(openTime.readBigInt64BE(at)),
      open: open.readBigInt64BE(at),
      high: high.readBigInt64BE(at),
      low: low.readBigInt64BE(at),
      close: close.readBigInt64BE(at),
    })
  }
  return series
}

/**
 * The good ones among candles in any order, each once, judged beside the known ones; and why the
 * others are not.
 */
function soundCandles(
  series: CandleSeries,
  candles: readonly Candle[],
): { good: Candle[]; faults: string[] } {
  const times = candles.map(({ openTimeMs }) => openTimeMs)
  const from = Math.max(0, countBefore(series, Math.min(...times)) - 1)
  const to = Math.min(series.length, countBefore(series, Math.max(...times)) + BESIDE)
  const known = Array.from({ length: Math.max(0, to - from) }, (_, index) =>
    candleAt(series, from + index),
  )
  const sent = new Map(candles.map((candle) => [candle.openTimeMs, candle]))
  const all = [
    ...new Map([...known, ...sent.values()].map((candle) => [candle.openTimeMs, candle])).values(),
  ].toSorted((a, b) => a.openTimeMs - b.openTimeMs)
  const faults = new Map(
    judgeCandles(all, { untilMs: Number.POSITIVE_INFINITY }).map(({ index, fault }) => [
      all[index],
      fault,
    ]),
  )
  const bad = [...sent.values()].filter((candle) => faults.has(candle))
  return {
    good: [...sent.values()].filter((candle) => !faults.has(candle)),
    faults: bad.map((candle) => `${hourText(candle.openTimeMs)} ${faults.get(candle)}`),
  }
}

function indexOf(series: CandleSeries, openTimeMs: number): number | undefined {
  const index = countBefore(series, openTimeMs)
  return index < series.length && series.openTimesMs[index] === openTimeMs ? index : undefined
}

function differs(series: CandleSeries, { openTimeMs, open, high, low, close }: Candle): boolean {
  const index = indexOf(series, openTimeMs)
  if (index === undefined) return false
  const known = candleAt(series, index)
  return known.open !== open || known.high !== high || known.low !== low || known.close !== close
}

/**
 * Appends candles that are all later than the last; otherwise builds a new series, so that readers
 * of the old one are not disturbed.
 */
function merge(
  series: CandleSeries,
  candles: readonly StoredCandle[],
): { series: CandleSeries; inOrder: boolean } {
  const fresh = candles
    .filter(({ openTimeMs }) => indexOf(series, openTimeMs) === undefined)
    .toSorted((a, b) => a.openTimeMs - b.openTimeMs)
  const lastMs =
    series.length === 0 ? Number.NEGATIVE_INFINITY : (series.openTimesMs[series.length - 1] ?? 0)
  if (fresh.every(({ openTimeMs }) => openTimeMs > lastMs)) {
    for (const candle of fresh) appendCandle(series, candle)
    return { series, inOrder: true }
  }
  const whole = createSeries(series.length + fresh.length)
  let next = 0
  for (let index = 0; index < series.length; index += 1) {
    const known = candleAt(series, index)
    for (
      let one = fresh[next];
      one !== undefined && one.openTimeMs < known.openTimeMs;
      one = fresh[(next += 1)]
    )
      appendCandle(whole, one)
    appendCandle(whole, known)
  }
  for (const one of fresh.slice(next)) appendCandle(whole, one)
  return { series: whole, inOrder: false }
}
