import { expect, test } from 'vitest'
import { seriesOf } from '#core/market/candle-series.ts'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { ONE } from '#core/money/amount.ts'
import { universesOf, WINDOW_DAYS } from './universe.ts'

/** A pair with a candle at the first hour of each day in `from` to `to`. */
const pairOf = ([from, to]: readonly [number, number]) => ({
  series: seriesOf(
    Array.from({ length: to - from }, (_, day) => ({
      openTimeMs: (from + day) * DAY_MS + HOUR_MS,
      open: ONE,
      high: ONE,
      low: ONE,
      close: ONE,
    })),
  ),
})

/** Members and the first days of the first and last window of each universe. */
const seen = (spans: readonly (readonly [number, number])[], warmUp: number) =>
  universesOf(spans.map(pairOf), { warmUp }).map(({ members, windows }) => ({
    members,
    days: [windows[0]?.fromMs, windows.at(-1)?.fromMs].map((ms = 0) => ms / DAY_MS),
  }))

test.each([
  ['windows begin on each day after the warm-up', [[0, 400]], [{ members: [0], days: [11, 34] }]],
  ['a pair shorter than a window and its warm-up has none', [[0, 376]], []],
  [
    'a younger pair joins the windows that begin after its warm-up',
    [
      [0, 420],
      [20, 420],
    ],
    [
      { members: [0], days: [11, 30] },
      { members: [0, 1], days: [31, 54] },
    ],
  ],
  [
    'a pair that ends within a window stays in it, and is in none that begins later',
    [
      [0, 420],
      [0, 40],
    ],
    [
      { members: [0, 1], days: [11, 39] },
      { members: [0], days: [40, 54] },
    ],
  ],
] as const)('%s', (_title, spans, universes) => {
  expect(seen(spans, 10)).toEqual(universes)
})

test('each window lasts twelve months', () => {
  const lengths = universesOf([pairOf([0, 400])], { warmUp: 10 }).flatMap(({ windows }) =>
    windows.map(({ fromMs, toMs }) => (toMs - fromMs) / DAY_MS),
  )
  expect([...new Set(lengths)]).toEqual([WINDOW_DAYS])
})
