import { expect, test } from 'vitest'
import { decimalToUnits } from '#core/money/decimal.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { realCandles } from '../../../bench/real-candles.ts'
import { outlookOf, stepOfTrends, type Outlook } from './next-change.ts'
import { presetAt } from './preset.ts'
import { RISK_LEVELS, type RiskLevel } from './risk-level.ts'
import { advance, candleSignalAt } from './strategy.ts'
import { exposureAt, startTrend, type TrendStrategyState } from './trend.ts'

const sideOf = ({ above, below }: Outlook, close: number) =>
  above && close >= above.level ? above : below && close <= below.level ? below : undefined

/** The shown prices equal the levels, or are a little further away. */
function expectShown(said: Outlook): void {
  const { above, below } = stepOfTrends(said)
  const far = (price: string) => Number(decimalToUnits(price))
  if (said.above) expectWithin(far(above?.price ?? ''), said.above.level - 1, 1.01)
  if (said.below) expectWithin(-far(below?.price ?? ''), -said.below.level - 1, 0.99)
}

function expectWithin(shown: number, level: number, factor: number): void {
  expect(shown).toBeGreaterThanOrEqual(level)
  expect(shown).toBeLessThanOrEqual(level * factor)
}

/** Hours between two comparisons. */
const STRIDE = 5

type Counts = Record<'unmoved' | 'crossed' | 'asSaid', number>

/** Compares the outlook before a candle with the strategy's decision at the candle. */
function compare(
  state: TrendStrategyState,
  candle: { close: number; high: number; low: number },
  counts: Counts,
): void {
  const [said, before] = [outlookOf(state), state.exposureBps]
  expectShown(said)
  const expected = exposureAt(state, candle.close)
  const turned = said.lamps.map(({ isUp, level }) =>
    level === undefined ? false : isUp ? candle.close >= level : candle.close > level,
  )
  advance(state, candle)
  expect(state.exposureBps).toBe(expected)
  expect([...state.trends.up].map((up) => up === 1)).toEqual(turned)
  if (said.exposureBps !== before) {
    counts.unmoved += 1
    return
  }
  const side = sideOf(said, candle.close)
  if (side === undefined) {
    expect(state.exposureBps).toBe(before)
    return
  }
  counts.crossed += 1
  if (Math.sign(state.exposureBps - before) === Math.sign(side.exposureBps - before))
    counts.asSaid += 1
}

const PAIRS = ['BTC/USDT', 'SOL/USDT'] as const

test.each(RISK_LEVELS.flatMap((level) => PAIRS.map((pair) => [level, pair] as const)))(
  'at recorded hours the outlook foresees each decision of the %s strategy on %s',
  (level: RiskLevel, pair) => {
    const series = realCandles(pair)
    const state = startTrend(presetAt(level, VENUE_COSTS.kraken))
    const counts: Counts = { unmoved: 0, crossed: 0, asSaid: 0 }
    for (let index = 0; index < series.length; index += 1) {
      const candle = candleSignalAt(series, index)
      if (index % STRIDE === 0) compare(state, candle, counts)
      else advance(state, candle)
    }
    // An hour that jumps past the level may also swing enough to cancel the foreseen change.
    expect(counts.asSaid).toBeGreaterThan(0.95 * counts.crossed)
    expect(counts.crossed).toBeGreaterThan(25)
    expect(counts.unmoved).toBeLessThan(10)
  },
)
