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

/** Rereads this many ids before the last one, because ids become visible in commit order. */
const OVERLAP = 2_000n

const BYTES = 8

/** Each new candle is compared with this many neighbors. */
const BESIDE = 24

/**
 * Limit of remembered faults. They are remembered because each round of requests receives the bad
 * candles again.
 */
const MOST_REMEMBERED_FAULTS = 1_000

type Log = { warn: (message: string) => void }

export async function openCandleArchive(sql: Sql, log: Log): Promise<CandleArchive> {
  return new CandleArchive(sql, log, await findCandleColumns(sql))
}

type Kept = { series: CandleSeries; version: number }

/** The closed candles of a live market: in the database, with a copy in memory. */
export class CandleArchive {
  readonly #sql: Sql
  readonly #log: Log
  readonly #kept = new Map(
    PAIRS.map((pair): [Pair, Kept] => [pair, { series: createSeries(), version: 0 }]),
  )
  readonly #logged = new Set<string>()
  #lastId = 0n
  #corrections = 0

  constructor(sql: Sql, log: Log, stored: readonly CandleColumns[]) {
    this.#sql = sql
    this.#log = log
    for (const columns of stored) {
      this.#of(columns.pair).series = seriesFrom(columns)
      this.#see(columns.lastId)
    }
  }

  series(pair: Pair): CandleSeries {
    return this.#of(pair).series
  }

  has(pair: Pair, openTimeMs: number): boolean {
    return indexOf(this.series(pair), openTimeMs) !== undefined
  }

  /**
   * Increases when an older candle arrives, because results computed from the series are then
   * stale.
   */
  version(pair: Pair): number {
    return this.#of(pair).version
  }

  /** Accepts candles in any order and repeatedly; known candles stay unchanged. */
  async add({ pair, source, candles }: Received): Promise<void> {
    const series = this.series(pair)
    const sound = this.#soundOf(pair, candles)
    this.#corrections += sound.filter((candle) => differs(series, candle)).length
    const missing = sound.filter(({ openTimeMs }) => indexOf(series, openTimeMs) === undefined)
    if (missing.length > 0)
      this.#take(await keepCandles(this.#sql, { pair, source, candles: missing }))
  }

  async refresh(): Promise<void> {
    this.#take(await findCandlesAfter(this.#sql, { id: this.#lastId, overlap: OVERLAP }))
  }

  /** Number of times that an exchange sent a stored candle with other values. */
  corrections(): number {
    return this.#corrections
  }

  #of(pair: Pair): Kept {
    return this.#kept.get(pair) ?? { series: createSeries(0), version: 0 }
  }

  #see(id: bigint): void {
    if (id > this.#lastId) this.#lastId = id
  }

  /**
   * Threat: an exchange may send anything. A bad candle is never stored. An outlier is stored once
   * other candles confirm it.
   */
  #soundOf(pair: Pair, candles: readonly Candle[]): Candle[] {
    const { good, faults } = soundCandles(this.series(pair), candles)
    for (const fault of faults) {
      const line = `${pair}: the exchange's candle of ${fault}`
      if (!this.#logged.has(line)) this.#log.warn(line)
      if (this.#logged.size > MOST_REMEMBERED_FAULTS) this.#logged.clear()
      this.#logged.add(line)
    }
    return good
  }

  #take(rows: readonly StoredCandle[]): void {
    for (const pair of new Set(rows.map((row) => row.pair))) {
      const own = this.#of(pair)
      const ofPair = rows.filter((row) => row.pair === pair)
      const { series, inOrder } = merge(own.series, ofPair)
      if (!inOrder) own.version += 1
      own.series = series
    }
    for (const { id } of rows) this.#see(id)
  }
}

type Received = { pair: Pair; source: string; candles: readonly Candle[] }

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
 * Good candles in order, each once, and the faults of the bad ones. All are checked together with
 * the known candles.
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
 * Appends candles newer than the last one. For any other candle, makes a new series, because
 * readers may use the old one.
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
