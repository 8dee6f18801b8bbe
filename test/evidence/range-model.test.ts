import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { coefficientsOf } from '#core/forecast/model.ts'
import { forecastRows } from '#core/forecast/rows.ts'
import { rangeModelTexts } from '#server/evidence/range-model-files.ts'
import { RANGE_SCORES } from '#server/market/next-day.ts'
import { RANGE_MODELS } from '#server/market/forecast-at.ts'
import { readCandleFile } from '#server/market/candle-file.ts'
import { recordedFiles } from '#server/market/recorded-candles.ts'
import { differentLine } from '#server/ops/verify-models.ts'
import { secondModel, secondPlainScale, secondRows, secondVariance } from './second-range-model.ts'

/** The range models that come with the product, and their scores. */

const stated = {
  models: readFileSync(RANGE_MODELS, 'utf8'),
  scores: readFileSync(RANGE_SCORES, 'utf8'),
}
const markets = recordedFiles().map(({ file, pair }) => ({
  pair,
  series: readCandleFile({ file, pair, untilMs: Number.POSITIVE_INFINITY }),
}))

test('models and scores computed again equal the shipped text; if not: npm run evidence', () => {
  expect(differentLine(stated, rangeModelTexts())).toBeUndefined()
  expect(stated.models.length + stated.scores.length, 'they stay small').toBeLessThan(90_000)
})

test('the first line that differs is named', () => {
  const edited = { ...stated, models: stated.models.replace('"rows":710', '"rows":711') }
  expect(differentLine(edited, stated)).toBe('data/models/range-24h.jsonl, line 2')
  expect(differentLine({ ...stated, models: `${stated.models}more\n` }, stated)).toBe(
    'data/models/range-24h.jsonl, line 55',
  )
  const flattered = { ...stated, scores: stated.scores.replace('5809', '5909') }
  expect(differentLine(flattered, stated)).toBe('data/models/range-24h-scores.json, line 6')
})

test('a model of all recorded candles has the coefficients of its card', () => {
  const rows = forecastRows(markets)
  expect(rows.length).toBe(8_720)
  expect(coefficientsOf(rows)).toEqual({
    a: -0.260892,
    b: [0.436551, -0.220677, 0.786313, -0.435061, 0.154482],
    scale: 1.489327,
  })
})

test('the scores equal the model card', () => {
  const { total, worseMonths, bots } = JSON.parse(stated.scores)
  expect(total).toMatchObject({ days: 7_245, qlike: '0.4176', held80: 5_809, held95: 6_853 })
  expect(total.plain.qlike).toBe('0.5171')
  expect(bots).toEqual([
    { strategy: 'trend-moderate', days: 1_141, held80: 916, percent80: '80.28' },
    { strategy: 'balanced-moderate', days: 1_448, held80: 1_155, percent80: '79.77' },
    { strategy: 'hold', days: 1_448, held80: 1_151, percent80: '79.49' },
  ])
  expect(worseMonths.map(({ name }: { name: string }) => name)).toEqual([
    '2021-11',
    '2023-06',
    '2023-07',
    '2023-08',
    '2025-08',
  ])
})

test('the model rested in the months after a year in which the plain formula was better', () => {
  const { rests, restedMonths } = JSON.parse(stated.scores)
  expect(restedMonths).toEqual(['2024-01', '2024-02', '2024-03', '2024-04', '2024-06'])
  expect(rests).toBe(false)
})

test('a second implementation gives the same digits for every month, and the same scores', () => {
  const rows = secondRows(
    markets.map(({ series: { openTimesMs, closeSignal, length } }) => ({
      times: [...openTimesMs.subarray(0, length)],
      closes: [...closeSignal.subarray(0, length)],
    })),
  )
  const losses: number[] = []
  const duels: Duel[] = []
  for (const line of stated.models.trim().split('\n')) {
    const { trainedUntil, a, b, scale, rows: count, plainScale, resting } = JSON.parse(line)
    const from = Date.parse(trainedUntil)
    const model = secondModel(rows.filter(({ known }) => known <= from))
    expect({ ...model, trainedUntil }).toEqual({ a, b, c: scale, rows: count, trainedUntil })
    const plain = secondPlainScale(rows.filter(({ known }) => known <= from))
    const rests = resting !== undefined
    expect([trainedUntil, plain, rested(duels, from)]).toEqual([trainedUntil, plainScale, rests])
    for (const row of rows) {
      if (!isInMonth(row.at, trainedUntil)) continue
      const loss = lossOf(row.y / secondVariance(model, row))
      duels.push({ at: row.at, known: row.known, loss, plain: lossOf(row.y / (plain * row.v)) })
      if (trainedUntil >= '2021-10') losses.push(loss)
    }
  }
  expect(losses.length).toBe(7_245)
  const loss = losses.reduce((sum, each) => sum + each) / losses.length
  expect(loss.toFixed(4)).toBe(JSON.parse(stated.scores).total.qlike)
})

type Duel = { at: number; known: number; loss: number; plain: number }

function rested(duels: readonly Duel[], at: number): boolean {
  const year = duels.filter((one) => one.known <= at && one.at >= at - 365 * 86_400_000)
  return year.reduce((sum, { loss, plain }) => sum + loss - plain, 0) > 0
}

function lossOf(ratio: number): number {
  return ratio - Math.log(ratio) - 1
}

function isInMonth(timeMs: number, firstDay: string): boolean {
  return new Date(timeMs).toISOString().slice(0, 7) === firstDay.slice(0, 7)
}
