import { inEnglish } from '#core/sentences.ts'
import { describe, expect, test } from 'vitest'
import { HOUR_MS, YEAR_MS, type Candle } from '#core/market/candle.ts'
import { required } from '#core/assert.ts'
import { seriesOf } from '#core/market/candle-series.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { totalCostBps, VENUE_COSTS } from '#core/trading/costs.ts'
import { CANDLES_A_DAY, lookbacksAt, presetAt, PRESETS } from './preset.ts'
import { explain, priceText, type Cause } from './reason.ts'
import { RISK_LEVELS, type RiskLevel } from './risk-level.ts'
import {
  advance,
  advanceAll,
  candleSignalAt,
  causeOf,
  startAll,
  startStrategy,
} from './strategy.ts'
import { exposureChanges } from './exposure-changes.ts'
import { STRATEGY_KEYS } from './strategy-key.ts'

/**
 * The decision after `quietHours` hours between 990 and 1010, with closes alternating by 1 %, and
 * then the closes of `story`.
 */
function decide({
  quietHours,
  story = [],
  wickAt = Number.NaN,
  riskLevel = 'moderate',
}: {
  quietHours: number
  story?: number[]
  /** Index of the candle in `story` whose low is 900. */
  wickAt?: number
  riskLevel?: RiskLevel
}) {
  const quiet = Array.from({ length: quietHours }, (_, hour) => (hour % 2 === 0 ? 995 : 1_005))
  const series = seriesOf(
    [...quiet, ...story].map((close, hour): Candle => {
      const units = decimalToUnits(String(close))
      const reach = decimalToUnits('5')
      const low = hour === quietHours + wickAt ? decimalToUnits('900') : units - reach
      return { openTimeMs: hour * HOUR_MS, open: units, high: units + reach, low, close: units }
    }),
  )
  const [now] = exposureChanges({
    strategy: `trend-${riskLevel}`,
    costs: VENUE_COSTS.binance,
    series,
    fromCount: series.length,
    toCount: series.length,
  })
  const { exposureBps, cause } = required(now, 'a scan begins with the target')
  return { exposureBps, reason: inEnglish(explain(cause)) }
}

describe('the story of a trend', () => {
  test('without ten days of history nothing is invested, and the reason says why', () => {
    expect(decide({ quietHours: 100 })).toEqual({
      exposureBps: 0,
      reason: 'The shortest trend needs 141 more hours of history, so nothing is invested.',
    })
  })

  test('a sideways market is not bought', () => {
    expect(decide({ quietHours: 300 })).toEqual({
      exposureBps: 0,
      reason: 'No trend is up, so nothing is invested.',
    })
  })

  test('a close above the ten-day high buys a quarter, scaled by volatility', () => {
    expect(decide({ quietHours: 300, story: [1_012] })).toEqual({
      exposureBps: 900,
      reason:
        'The price rose above its 10-day high ($1,010.00). 1 of 4 trends is up, so ' +
        '9% of the money for this coin is invested.',
    })
  })

  test('a close at the high is not a breakout', () => {
    expect(decide({ quietHours: 300, story: [1_010] }).exposureBps).toBe(0)
  })

  test('with eighty days of history one breakout turns four trends; the slowest is named', () => {
    expect(decide({ quietHours: 2_000, story: [1_012] })).toEqual({
      exposureBps: 3_700,
      reason:
        'The price rose above its 80-day high ($1,010.00). ' +
        '4 of 4 trends are up, so 37% of the money for this coin is invested.',
    })
  })

  test('a close below the middle of the channel ends the trend', () => {
    expect(decide({ quietHours: 2_000, story: [1_012, 1_004] }).exposureBps).toBe(3_700)
    expect(decide({ quietHours: 2_000, story: [1_012, 1_004, 995] })).toEqual({
      exposureBps: 0,
      reason:
        'The price fell below the stop of its 80-day trend ($1,003.50). ' +
        'No trend is up, so nothing is invested.',
    })
  })

  test('the stop rises with the trend and never falls', () => {
    const risen = Array.from({ length: 100 }, (_, hour) => 1_012 + 5 * hour)
    expect(decide({ quietHours: 2_000, story: [...risen, 1_300] }).exposureBps).toBeGreaterThan(0)
    expect(decide({ quietHours: 2_000, story: [...risen, 1_240] }).exposureBps).toBe(0)
  })

  test('a wick that widens the channel downwards does not lower the stop', () => {
    expect(
      decide({ quietHours: 2_000, story: [1_012, 1_004, 1_004, 1_002], wickAt: 2 }).exposureBps,
    ).toBe(0)
  })

  test('the end of all trends sells even a small exposure', () => {
    expect(decide({ quietHours: 2_000, story: [1_012, 10_120] }).exposureBps).toBe(400)
    expect(decide({ quietHours: 2_000, story: [1_012, 10_120, 2_000] }).exposureBps).toBe(0)
  })

  test('each risk level takes more exposure than the one below it', () => {
    const levels = RISK_LEVELS.map(
      (riskLevel) => decide({ quietHours: 2_000, story: [1_012], riskLevel }).exposureBps,
    )
    expect(levels).toEqual([1_600, 3_700, 8_600])
  })
})

test('a small change of volatility does not trade, a large one does', () => {
  const held = (hours: number, step: number) =>
    Array.from({ length: hours }, (_, hour) => 1_012 + hour / 4 + (hour % 2 === 0 ? step : -step))
  expect(decide({ quietHours: 2_000, story: [1_012, ...held(20, 4)] }).exposureBps).toBe(3_700)
  const calmer = decide({ quietHours: 2_000, story: [1_012, ...held(400, 1)] })
  expect(calmer.exposureBps).toBeGreaterThanOrEqual(4_400)
  expect(calmer.reason).toContain('No trend turned. 4 of 4 trends are up; at these price swings, 4')
})

test('exposures are whole percentages from 0 to 100', () => {
  for (const riskLevel of RISK_LEVELS) {
    for (const closes of [[1_012], [1_012, 3_000], [1_012, 1_030, 1_060, 1_020, 1_100]]) {
      const { exposureBps } = decide({ quietHours: 2_000, story: closes, riskLevel })
      expect(exposureBps % 100 === 0 && exposureBps >= 0 && exposureBps <= 10_000).toBe(true)
    }
  }
})

test('lookbacks are sorted from shortest, as the rolling maximum requires', () => {
  for (const { lookbacks } of Object.values(PRESETS))
    expect(lookbacks).toEqual(lookbacks.toSorted((a, b) => a - b))
})

test.each([
  ['61240', '61,240.00'],
  ['1234567.891', '1,234,567.89'],
  ['142.35', '142.35'],
  ['1.0832', '1.0832'],
  ['0.51239', '0.5123'],
  ['0.00001234', '0.00001234'],
])('a price of %s reads %s', (price, text) => {
  expect(priceText(decimalToUnits(price))).toBe(text)
})

test('the longest reason stays below 160 characters', () => {
  const cause: Cause = {
    kind: 'trend',
    exposureBps: 10_000,
    turn: 'down',
    lookback: 1_920,
    level: 1e15,
    trendsUp: 4,
    trends: 4,
    candlesMissing: 0,
  }
  expect(inEnglish(explain(cause)).length).toBeLessThan(160)
})

test('trends are twice as slow where a trade costs 100 basis points or more', () => {
  const days = (feeBps: number) =>
    lookbacksAt({ feeBps, halfSpreadBps: 2, slippageBps: 5 }).map(
      (candles) => candles / CANDLES_A_DAY,
    )
  expect(days(92)).toEqual([10, 20, 40, 80])
  expect(days(93)).toEqual([20, 40, 80, 160])
  const { lookbacks, ...others } = presetAt('moderate', VENUE_COSTS.coinbase)
  expect(PRESETS.moderate).toMatchObject(others)
  expect(lookbacks).toEqual(PRESETS.moderate.lookbacks.map((candles) => 2 * candles))
  expect(presetAt('moderate', VENUE_COSTS.kraken)).toEqual(PRESETS.moderate)
})

test('the history that a strategy replays is many times as long as the slowest trend', () => {
  const slowest = Math.max(...Object.values(VENUE_COSTS).flatMap((costs) => lookbacksAt(costs)))
  expect((2 * YEAR_MS) / HOUR_MS / slowest).toBeGreaterThan(4)
  expect(Object.values(VENUE_COSTS).map(totalCostBps)).toEqual([47, 127, 17])
})

test.each(['binance', 'coinbase'] as const)(
  'strategies that share their trends decide as each does alone, at the costs of %s',
  (venue) => {
    const costs = VENUE_COSTS[venue]
    const series = simulatedCandles({
      seed: 11,
      pair: 'SOL/USDT',
      fromMs: Date.UTC(2024, 0, 1),
      count: 6_000,
    })
    const together = startAll(costs)
    const alone = new Map(STRATEGY_KEYS.map((key) => [key, startStrategy(key, costs)]))
    expect(together.trends, 'the levels look back equally far').toHaveLength(1)
    let decisions = 0
    for (let index = 0; index < series.length; index += 1) {
      const candle = candleSignalAt(series, index)
      advanceAll(together, candle)
      for (const state of alone.values()) advance(state, candle)
      const differing = STRATEGY_KEYS.filter(
        (key) => together.states.get(key)?.exposureBps !== alone.get(key)?.exposureBps,
      )
      expect(differing, `candle ${index}`).toEqual([])
      decisions += together.states.get('trend-moderate')?.exposureBps === 0 ? 0 : 1
    }
    expect(decisions).toBeGreaterThan(1_000)
    for (const [key, state] of alone)
      expect(causeOf(state)).toEqual(causeOf(required(together.states.get(key), key)))
  },
)
