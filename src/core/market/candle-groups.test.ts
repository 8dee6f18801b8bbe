import { expect, test } from 'vitest'
import { groupCandles, startOfGroup } from './candle-groups.ts'
import { seriesOf } from './candle-series.ts'
import { HOUR_MS } from './candle.ts'

const BEGIN_MS = Date.UTC(2026, 10, 22)
const hour = (place: number, low: bigint, high: bigint) => ({
  openTimeMs: BEGIN_MS + place * HOUR_MS,
  open: low,
  high,
  low,
  close: high,
})
const grouped = (
  places: readonly number[],
  { from, to, hours }: { from: number; to: number; hours: number },
) =>
  groupCandles(
    seriesOf(places.map((place) => hour(place, BigInt(place + 1), BigInt(place + 10)))),
    {
      fromMs: BEGIN_MS + from * HOUR_MS,
      toMs: BEGIN_MS + to * HOUR_MS,
      groupMs: hours * HOUR_MS,
    },
  )
const at = (place: number) => BEGIN_MS + place * HOUR_MS

test('a group opens with its first hour, closes with its last, and spans all of them', () => {
  expect(grouped([0, 1, 2, 3], { from: 0, to: 4, hours: 2 })).toEqual([
    { openTimeMs: at(0), open: 1n, low: 1n, high: 11n, close: 11n },
    { openTimeMs: at(2), open: 3n, low: 3n, high: 13n, close: 13n },
  ])
})

test('the first group is whole; the last one ends with the series', () => {
  const groups = grouped([0, 1, 2, 3, 4, 5, 6], { from: 3, to: 5, hours: 2 })
  expect(groups.map(({ openTimeMs, close }) => [openTimeMs, close])).toEqual([
    [at(2), 13n],
    [at(4), 14n],
  ])
})

test('missing hours are not filled: a group begins with the first hour that it has', () => {
  expect(grouped([1, 6], { from: 0, to: 8, hours: 2 })).toEqual([
    { openTimeMs: at(0), open: 2n, low: 2n, high: 11n, close: 11n },
    { openTimeMs: at(6), open: 7n, low: 7n, high: 16n, close: 16n },
  ])
  expect(grouped([], { from: 0, to: 8, hours: 2 })).toEqual([])
})

test('the borders of groups do not move as time goes on', () => {
  expect([0, 1, 7, 8].map((place) => startOfGroup(at(place), 8 * HOUR_MS))).toEqual([
    at(0),
    at(0),
    at(0),
    at(8),
  ])
})
