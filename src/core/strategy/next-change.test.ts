import { expect, test } from 'vitest'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { REAL_PAIRS, realCandles } from '../../../bench/real-candles.ts'
import { outlookOf, type Outlook } from './next-change.ts'
import { presetAt } from './preset.ts'
import { RISK_LEVELS, type RiskLevel } from './risk-level.ts'
import { advance, candleSignalAt } from './strategy.ts'
import { exposureAt, startTrend, type TrendStrategyState } from './trend.ts'

type Counts = Record<'hours' | 'unmoved' | 'kept' | 'crossed' | 'asSaid', number>

const sideOf = ({ above, below }: Outlook, close: number) =>
  above && close >= above.level ? above : below && close <= below.level ? below : undefined

/** Compares what was said before a candle with what the strategy did at it. */
function compare(
  state: TrendStrategyState,
  candle: { close: number; high: number; low: number },
  counts: Counts,
): void {
  const [said, before] = [outlookOf(state), state.exposureBps]
  const expected = exposureAt(state, candle.close)
  const turned = said.lamps.map(({ isUp, level }) =>
    level === undefined ? false : isUp ? candle.close >= level : candle.close > level,
  )
  advance(state, candle)
  counts.hours += 1
  expect(state.exposureBps).toBe(expected)
  expect([...state.trends.up].map((up) => up === 1)).toEqual(turned)
  if (said.exposureBps !== before) {
    counts.unmoved += 1
    return
  }
  const side = sideOf(said, candle.close)
  if (side === undefined) {
    expect(state.exposureBps).toBe(before)
    counts.kept += 1
    return
  }
  counts.crossed += 1
  if (Math.sign(state.exposureBps - before) === Math.sign(side.exposureBps - before))
    counts.asSaid += 1
}

test.each(RISK_LEVELS.flatMap((level) => REAL_PAIRS.map((pair) => [level, pair] as const)))(
  'at every recorded hour the %s strategy does with %s what was said',
  (level: RiskLevel, pair) => {
    const series = realCandles(pair)
    const state = startTrend(presetAt(level, VENUE_COSTS.kraken))
    const counts: Counts = { hours: 0, unmoved: 0, kept: 0, crossed: 0, asSaid: 0 }
    for (let index = 0; index < series.length; index += 1)
      compare(state, candleSignalAt(series, index), counts)
    // An hour that leaps past the level may also swing enough to cancel what was said.
    expect(counts.asSaid).toBeGreaterThan(0.99 * counts.crossed)
    expect(counts.crossed).toBeGreaterThan(200)
    expect(counts.unmoved).toBeLessThan(25)
  },
)
