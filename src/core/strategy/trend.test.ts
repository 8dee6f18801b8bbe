import { expect, test } from 'vitest'
import type { Preset } from './preset.ts'
import {
  decideTrend,
  exposureAt,
  hasSettings,
  levelOf,
  readCandle,
  startTrend,
  type TrendStrategyState,
} from './trend.ts'

/** One channel of three candles. No volatility here exceeds the target: exposures are unscaled. */
const PRESET: Preset = {
  targetVolatility: 1_000,
  lookbacks: [3],
  volatilityHalfLife: 10,
  stop: 'middle',
  bandBps: 100,
}

function after(closes: readonly number[], preset = PRESET): TrendStrategyState {
  const state = startTrend(preset)
  for (const close of closes) {
    readCandle(state.trends, { high: close + 1, low: close - 1, close })
    decideTrend(state)
  }
  return state
}

test.each([
  ['before its lookback has passed there is no level', [10, 10], undefined, 0],
  ['without a trend the level is the channel’s high', [10, 12, 11], 13, 0],
  [
    'a close above the high begins the trend; its level is the middle',
    [10, 10, 10, 20],
    15,
    10_000,
  ],
  ['a close at the level keeps the trend', [10, 10, 10, 20, 15], 15, 10_000],
  ['a close below the level ends the trend', [10, 10, 10, 20, 14], 21, 0],
] as const)('%s', (_title, closes, level, exposureBps) => {
  const state = after(closes)
  expect([levelOf(state.trends, 0), state.exposureBps]).toEqual([level, exposureBps])
})

test('the stop at the low of the channel is below the stop at its middle', () => {
  const closes = [10, 10, 10, 20]
  const low = levelOf(after(closes, { ...PRESET, stop: 'low' }).trends, 0)
  expect([low, levelOf(after(closes).trends, 0)]).toEqual([9, 15])
})

test.each([10, 11, 12, 25])(
  'the exposure foreseen for a close at %d is the one decided',
  (close) => {
    const closes = [10, 10, 10]
    expect(exposureAt(after(closes), close)).toBe(after([...closes, close]).exposureBps)
  },
)

test('foreseeing an exposure does not change the trend', () => {
  const state = after([10, 10, 10])
  const before = structuredClone(state)
  exposureAt(state, 25)
  expect(state).toEqual(before)
})

test('trends are shared by presets with the same lookbacks, half-life and stop', () => {
  const { trends } = after([])
  expect(hasSettings(trends, { ...PRESET, bandBps: 5, targetVolatility: 1 } as Preset)).toBe(true)
  const others = [{ lookbacks: [4] }, { volatilityHalfLife: 11 }, { stop: 'low' }] as const
  expect(others.map((other) => hasSettings(trends, { ...PRESET, ...other }))).toEqual(
    others.map(() => false),
  )
})
