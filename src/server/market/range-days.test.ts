import { afterAll, beforeAll, expect, test } from 'vitest'
import { sentence } from '#core/sentences.ts'
import { marketDay } from '#core/forecast/market-day.ts'
import { DAY_MS, floorHour, HOUR_MS } from '#core/market/candle.ts'
import { createSeries } from '#core/market/candle-series.ts'
import { queriesOver } from '#server/db/statement.ts'
import { marketScores, scoresAt } from '#server/evidence/market-scores.ts'
import { shippedMarkets, shippedWalk } from '#server/evidence/range-model-files.ts'
import { candlesBetween } from './candle-cache.ts'
import { newestModel } from './forecast-at.ts'
import { findTexts, headOf, readRangeDays, recordRangeDay, type RangeDay } from './range-days.ts'
import { verifyForecasts } from '#server/ops/verify-forecasts.ts'
import type { Context } from '#server/context.ts'
import type { Feed } from '#server/ports/feed.ts'
import { RANGE_MODELS } from './forecast-at.ts'
import { readFileSync } from 'node:fs'
import { createWorld, type World } from '../../../test/world/world.ts'

/** Forecasts on a live market over the turn of a month, on recorded candles. */

const markets = shippedMarkets()
const FIRST = Date.UTC(2025, 7, 30)
const SEPTEMBER = Date.UTC(2025, 8, 1)
let nowMs = FIRST + 60_000
let isBelieved = true
let world: World

/** A live market of the recorded candles: those that closed by now. */
const feed: Feed = {
  kind: 'live',
  label: sentence('paperPrices', { name: 'Kraken', quote: 'USD' }),
  identity: 'live:kraken',
  venue: 'kraken',
  pairs: markets.map(({ pair }) => pair),
  defaultSpeed: 1,
  beginMs: floorHour,
  endMs: undefined,
  candles: ({ pair, fromMs, toMs }) => {
    const series = markets.find((one) => one.pair === pair)?.series ?? createSeries()
    return candlesBetween(series, { fromMs, toMs: Math.min(toMs, floorHour(nowMs)) })
  },
  live: {
    nowMs: () => nowMs,
    closedUntilMs: () => floorHour(nowMs),
    checkClock: async () => isBelieved,
    quote: () => undefined,
    isOpen: () => false,
    version: () => 0,
    candleCount: () => 0,
    staleAfterMs: 60_000,
    follow: async () => {},
    refresh: async () => {},
    report: () => ({
      following: true,
      connected: true,
      reconnects: 0,
      updates: 0,
      corrections: 0,
      clockOffsetMs: 0,
    }),
  },
}

const linesOf = async () =>
  (await findTexts(world.context.sql)).map((text) => JSON.parse(text) as RangeDay)
const timesOf = (days: readonly RangeDay[]) => days.map(({ timeMs }) => timeMs)

async function recordAt(timeMs: number, context: Context = world.context): Promise<void> {
  nowMs = timeMs
  await recordRangeDay(context)
}

async function fileOf(): Promise<string> {
  const { statusCode, body } = await world.app.inject('/api/forecasts/bundle')
  expect(statusCode).toBe(200)
  return body
}

beforeAll(async () => {
  world = await createWorld({ feed, context: { now: () => new Date(nowMs) } })
})
afterAll(() => world.close())

test('a job that dies before it writes computes the same day when it is repeated', async () => {
  const { compute } = world.context
  const texts: string[] = []
  const dying: Context = {
    ...world.context,
    compute: {
      ...compute,
      run: async (...given) => {
        texts.push(JSON.stringify(await compute.run(...given)))
        throw new Error('killed')
      },
    },
  }
  await expect(recordAt(FIRST + 60_000, dying)).rejects.toThrow('killed')
  expect(await linesOf()).toEqual([])
  await recordAt(FIRST + 120_000)
  const [line] = await linesOf()
  const { previous, madeAtMs, ...day } = line ?? {}
  expect(JSON.stringify(day)).toBe(texts[0])
  expect([previous, madeAtMs]).toEqual(['0'.repeat(64), FIRST + 120_000])
})

test('nothing is written by a wrong clock, or before the last candle of the day', async () => {
  isBelieved = false
  await recordAt(FIRST + DAY_MS + 60_000)
  isBelieved = true
  await recordAt(Date.UTC(2030, 0, 1) + 60_000)
  expect(timesOf(await linesOf())).toEqual([FIRST])
})

test('two processes at once and later runs write a day once', async () => {
  nowMs = FIRST + DAY_MS + 60_000
  await Promise.all([recordRangeDay(world.context), recordRangeDay({ ...world.context })])
  await recordAt(FIRST + DAY_MS + 30 * 60_000)
  expect(timesOf(await linesOf())).toEqual([FIRST, FIRST + DAY_MS])
})

test('on the first of a month a model is trained like the shipped one, and used', async () => {
  await recordAt(SEPTEMBER + 60_000)
  const { trainedUntil, id, pairs, candles, ...shipped } = JSON.parse(
    readFileSync(RANGE_MODELS, 'utf8').trim().split('\n').at(-1) ?? '',
  )
  const { model } = (await linesOf()).at(-1) ?? {}
  expect({ ...model, candles }).toEqual({
    ...shipped,
    trainedUntilMs: Date.parse(trainedUntil),
    learnedFrom: [],
    candles,
  })
  expect(pairs).toEqual(feed.pairs)
  await world.context.market.refresh()
  expect(newestModel(world.context.candles)).toEqual(model)
  const { scores } = await world.stranger().call('getForecasts')
  expect([scores.model, scores.rests]).toEqual([id, false])
})

test('a day whose first hour has closed gets no forecast, only outcomes', async () => {
  await recordAt(SEPTEMBER + DAY_MS + HOUR_MS)
  const last = (await linesOf()).at(-1)
  expect(last).toMatchObject({ timeMs: SEPTEMBER + DAY_MS, forecasts: [] })
  expect(last?.outcomes.map(({ timeMs }) => timeMs)).toEqual(feed.pairs.map(() => SEPTEMBER))
})

test('days without a server stay empty, and outcomes are caught up', async () => {
  await recordAt(SEPTEMBER + 2 * DAY_MS + 60_000)
  await recordAt(SEPTEMBER + 6 * DAY_MS + 60_000)
  const days = await linesOf()
  expect(timesOf(days).slice(-2)).toEqual([SEPTEMBER + 2 * DAY_MS, SEPTEMBER + 6 * DAY_MS])
  expect(days.at(-1)?.outcomes.map(({ timeMs }) => timeMs)).toEqual(
    feed.pairs.map(() => SEPTEMBER + 2 * DAY_MS),
  )
  const { here } = await world.stranger().call('getForecasts')
  const scored = days.flatMap(({ outcomes }) => outcomes)
  expect(here).toMatchObject({
    since: '2025-08-30',
    days: 4,
    missed: 4,
    forecasts: scored.length,
    chances: [],
  })
  const held = scored.filter(({ pair, timeMs, move }) => {
    const range = days
      .find((day) => day.timeMs === timeMs)
      ?.forecasts.find((forecast) => forecast.pair === pair)?.range80
    return range && move >= range.low && move <= range.high
  })
  expect(here?.held80).toBe(held.length)
})

test('stored days equal the rule on the same candles', async () => {
  const days = await linesOf()
  const walk = shippedWalk()
  const again = days.map(({ timeMs }, index) =>
    marketDay({ timeMs, days: days.slice(0, index), recorded: () => walk, own: markets }),
  )
  for (const [index, { forecasts, outcomes }] of again.entries()) {
    expect(days[index]?.outcomes).toEqual(outcomes)
    if (days[index]?.timeMs !== SEPTEMBER + DAY_MS)
      expect(days[index]?.forecasts).toEqual(forecasts)
  }
})

test('the database refuses to change, delete or empty days', async () => {
  const { sql } = world.context
  await expect(sql`update range_days set text = ''`).rejects.toThrow('append-only')
  await expect(sql`delete from range_days`).rejects.toThrow('append-only')
  await expect(sql`truncate range_days`).rejects.toThrow('append-only')
})

test('the proof verifies; a changed model, forecast, outcome or score is found', async () => {
  const text = await fileOf()
  const folder = '/nonexistent'
  expect(verifyForecasts(text, folder)).toEqual({
    agrees: [
      'The hashes of 6 days agree.',
      'Each forecast is of a midnight, follows from a model trained before it, and was made before its first hour closed.',
      'Of 2 models, 2 agree.',
      'The scores agree.',
      'Of 20 forecasts whose day is over, 0 have no outcome.',
      'Not checked: prices, and the times at which days were written.',
    ],
  })
  const changes: [RegExp, string][] = [
    [/variance/, 'varianse'],
    [/"move\\":/, '"move\\":1'],
    [/"a\\":-0\.2/, '"a\\":-0.3'],
    [/"madeAtMs\\":1/, '"madeAtMs\\":2'],
  ]
  for (const [before, after] of changes) {
    expect(text).toMatch(before)
    expect(verifyForecasts(text.replace(before, after), folder).difference?.field).toMatch(
      /^previous\.\d/,
    )
  }
  const last = text.replace(/(.*)"move\\":/, '$1"move\\":1')
  expect(verifyForecasts(last, folder).difference?.field).toBe('previous.6')
  const flattered = text.replace(/"held80":\d+/, '"held80":99')
  expect(verifyForecasts(flattered, folder).difference?.field).toBe('scores.held80')
})

type Change = (days: RangeDay[]) => RangeDay[]

/** The file of someone who changes days and all hashes after them. */
function forged(text: string, change: Change): string {
  const bundle = JSON.parse(text)
  const days = change(bundle.lines.map((line: string) => JSON.parse(line)))
  const lines: string[] = []
  for (const day of days)
    lines.push(
      JSON.stringify({
        ...day,
        previous: lines.length ? headOf(lines.at(-1) ?? '') : '0'.repeat(64),
      }),
    )
  return JSON.stringify({ ...bundle, lines, head: headOf(lines.at(-1) ?? '') })
}

const firstOf =
  (change: (day: RangeDay) => Partial<RangeDay>): Change =>
  ([first, ...days]) =>
    first ? [{ ...first, ...change(first) }, ...days] : days

test.each<[string, Change, RegExp]>([
  [
    'a wider range',
    firstOf(({ forecasts }) => ({
      forecasts: forecasts.map((one) => ({ ...one, range80: { low: -1, high: 1 } })),
    })),
    /^lines\.0\.day\.forecasts\.0\.range80/,
  ],
  [
    'a model of another training',
    firstOf(({ model }) => ({ ...(model && { model: { ...model, rows: 1 } }) })),
    /^lines\.0\.model\.rows/,
  ],
  [
    'a forecast after its first hour',
    firstOf(({ timeMs }) => ({ madeAtMs: timeMs + HOUR_MS })),
    /^lines\.0\.day\.forecasts\.0/,
  ],
  [
    'a model that saw its day',
    firstOf(({ model }) => ({
      ...(model && { model: { ...model, trainedUntilMs: SEPTEMBER } }),
    })),
    /^lines\.0\.day\.trainedUntilMs$/,
  ],
  [
    'a forecast of another hour',
    firstOf(({ timeMs }) => ({ timeMs: timeMs - HOUR_MS, madeAtMs: timeMs - 60_000 })),
    /^lines\.0\.day\.timeMs$/,
  ],
  [
    'a pair twice in a day',
    firstOf(({ forecasts }) => ({ forecasts: [...forecasts, ...forecasts.slice(0, 1)] })),
    /^lines\.0\.day\.forecasts\.5/,
  ],
  [
    'an outcome twice',
    (days) =>
      days.map((day, index) => (index < 2 ? day : { ...day, outcomes: days[1]?.outcomes ?? [] })),
    /^lines\.2\.day\.outcomes/,
  ],
  ['a day left out', (days) => days.slice(1), /^lines\.\d\.day\./],
  ['days in another order', (days) => days.toReversed(), /^lines\.\d\.day\./],
])('%s is found, even with the hashes after it changed', async (_name, change, field) => {
  const text = await fileOf()
  expect(verifyForecasts(forged(text, change), '/nonexistent').difference?.field).toMatch(field)
})

test('missing outcomes are counted', async () => {
  const text = await fileOf()
  const { scores, ...bundle } = JSON.parse(
    forged(text, (days) =>
      days.map((day, index) => (index === 1 ? { ...day, outcomes: day.outcomes.slice(2) } : day)),
    ),
  )
  const days = bundle.lines.map((line: string) => JSON.parse(line))
  const flattered = JSON.stringify({ ...bundle, scores: marketScores(days) })
  expect(scores).not.toEqual(marketScores(days))
  expect(verifyForecasts(flattered, '/nonexistent').agrees).toContain(
    'Of 20 forecasts whose day is over, 2 have no outcome.',
  )
})

test('a second call reads no row and no day again; a new day is scored', async () => {
  const { context } = world
  let rows = 0
  const counting = queriesOver(async (sent) => {
    const found = await context.sql.send(sent)
    rows += found.length
    return found
  })
  const read = async () => (await readRangeDays(counting)).days.length
  expect([await read(), rows]).toEqual([6, 6])
  expect([await read(), rows]).toEqual([6, 6])
  const { days, head } = await readRangeDays(counting)
  const first = scoresAt({ days, head })
  const unread = new Proxy(days, { get: () => expect.fail('days are read again') })
  expect(scoresAt({ days: unread, head })).toBe(first)
  expect(scoresAt({ days: days.slice(0, -1), head: headOf(head) })).not.toEqual(first)
})

test('a file without valid days is refused in one sentence', async () => {
  const text = forged(await fileOf(), () => [])
  const verify = (line: string) =>
    verifyForecasts(
      forged(text, () => [JSON.parse(line)]),
      '/nonexistent',
    )
  for (const line of ['null', '{}', '[1]', '{"forecasts":{}}'])
    expect(() => verify(line)).toThrow('The file is not a proof of this product: lines')
})
