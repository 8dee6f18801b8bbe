import { createHash } from 'node:crypto'
import { MADE_WITHIN_MS, type MarketDay } from '#core/forecast/market-day.ts'
import { countBefore } from '#core/market/candle-series.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import type { HashedMarketDay } from '#server/ports/compute.ts'
import { answerBy } from './forecast-at.ts'

/**
 * A day as stored. `previous` is the SHA-256 of the previous day's text, so that anybody with a
 * copy can detect a change of an earlier day.
 */
export type RangeDay = HashedMarketDay & { previous: string; madeAtMs: number }

/** The hash before the first text. */
export const NO_TEXT = '0'.repeat(64)

type Kept = { days: readonly RangeDay[]; head: string }
const kept = new WeakMap<Queries, Kept>()

/** Rows never change, so only new ones are read. */
export async function readRangeDays(sql: Queries): Promise<Kept> {
  const before = kept.get(sql) ?? { days: [], head: NO_TEXT }
  const texts = await findTexts(sql, before.days.length)
  const last = texts.at(-1)
  if (last === undefined) return before
  const days = [...before.days, ...texts.map((text) => JSON.parse(text) as RangeDay)]
  const now = { days, head: headOf(last) }
  kept.set(sql, now)
  return now
}

export async function findTexts(sql: Queries, from = 0): Promise<string[]> {
  const found = await sql<{ text: string }[]>`
    select text from range_days where number >= ${from} order by number`
  return found.map(({ text }) => text)
}

export function headOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type Live = Pick<Context, 'feed' | 'candles'> & { sql: Queries }

/** On a live market, this process forecasts by the newest model that was trained there. */
export async function readModel({ feed, candles, sql }: Live): Promise<void> {
  if (!feed.live) return
  const model = modelOf((await readRangeDays(sql)).days)
  if (model) answerBy(candles, model)
}

export function modelOf<Day extends MarketDay>(days: readonly Day[]): Day['model'] {
  return days.findLast(({ model }) => model)?.model
}

/**
 * Writes the last midnight's day on a live market, once its candles are there. No forecast is
 * written after its first candle closed; midnights that passed without a server have no row.
 */
export async function recordRangeDay(context: Context): Promise<void> {
  const { feed, candles, compute, sql } = context
  const { live } = feed
  // Threat: a wrong clock would write a later day too early, and nothing written can be removed.
  if (!live || !(await live.checkClock())) return
  await live.refresh()
  const timeMs = Math.floor(live.nowMs() / DAY_MS) * DAY_MS
  if (live.closedUntilMs() < timeMs) return
  const { days, head } = await readRangeDays(sql)
  if ((days.at(-1)?.timeMs ?? 0) >= timeMs) return
  const markets = feed.pairs.map((pair) => ({ pair, series: candles.until(pair, timeMs) }))
  const isClosed = markets.some(
    ({ series }) => countBefore(series, timeMs) > countBefore(series, timeMs - HOUR_MS),
  )
  if (!isClosed) return
  const day = await compute.run('rangeDay', { timeMs, days, markets }, { owner: 'range model' })
  const madeAtMs = live.nowMs()
  const forecasts = madeAtMs < timeMs + MADE_WITHIN_MS ? day.forecasts : []
  const text = JSON.stringify({ previous: head, madeAtMs, ...day, forecasts })
  await sql`insert into range_days (number, text) values (${days.length}, ${text})
    on conflict do nothing`
}
