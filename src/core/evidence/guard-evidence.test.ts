import { expect, test } from 'vitest'
import { DAY_MS } from '#core/market/candle.ts'
import { countBefore, priceAt } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { backtest } from '#core/strategy/backtest.ts'
import { decideMarket } from '#core/strategy/sleeve.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { closingFee } from '#core/trading/performance-fee.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import {
  guardedOutcomes,
  guardEvidenceOf,
  hourlyCloses,
  STANDARD_GUARDS,
  type GuardedOutcome,
} from './guard-evidence.ts'

const FROM_MS = Date.UTC(2024, 0, 1)
const PAIRS: readonly Pair[] = ['BTC/USDT', 'SOL/USDT']
const costs = VENUE_COSTS.binance
const money = { invested: decimalToUnits('10000'), costs, feeBps: 1_500 }
const markets = PAIRS.map((pair) => ({
  pair,
  series: simulatedCandles({ pair, seed: 11, fromMs: FROM_MS, count: 500 * 24 }),
}))
const windows = [90, 100].map((day) => ({
  fromMs: FROM_MS + day * DAY_MS,
  toMs: FROM_MS + (day + 365) * DAY_MS,
}))

/** The same bot in the exact backtest, sold at the first opens after the window. */
function exactly(
  strategy: StrategyKey,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  guards?: (typeof STANDARD_GUARDS)[number],
): Pick<GuardedOutcome, 'end' | 'isReached'> {
  const { portfolio, stops } = backtest({ ...money, strategy, markets, fromMs, toMs, guards })
  const out = portfolio.positions.reduce((sum, { cash, base }, which) => {
    const series = markets[which]?.series
    if (!series || base === 0n) return sum + cash
    return (
      sum +
      cash +
      cashMoved(
        paperFill({
          side: 'sell',
          quantity: base,
          price: priceAt(series.open, countBefore(series, toMs)),
          costs,
        }),
      )
    )
  }, 0n)
  return { end: out - closingFee({ ...money, out }).fee, isReached: stops.length > 0 }
}

test.each<StrategyKey>(['hold', 'balanced-moderate', 'trend-aggressive'])(
  "a window of %s ends like the same bot's backtest, without a guard and with each guard",
  (strategy) => {
    const decided = markets.map((market) => decideMarket({ ...market, strategy, costs }))
    const closes = hourlyCloses(
      markets.map(({ series }) => series),
      windows,
    )
    for (const window of windows) {
      const outcomes = guardedOutcomes({ ...money, markets: decided, closes, window })
      expect(outcomes.map(({ end, isReached }) => ({ end, isReached }))).toEqual(
        [undefined, ...STANDARD_GUARDS].map((guards) => exactly(strategy, window, guards)),
      )
    }
  },
)

test('the guards trigger in these windows; otherwise the test above would compare nothing', () => {
  const decided = markets.map((market) => decideMarket({ ...market, strategy: 'hold', costs }))
  const closes = hourlyCloses(
    markets.map(({ series }) => series),
    windows,
  )
  const rows = guardEvidenceOf(
    windows.map((window) => guardedOutcomes({ ...money, markets: decided, closes, window })),
  )
  expect(rows.filter(({ reached }) => reached > 0).length).toBeGreaterThan(4)
  for (const { better, worse, reached, fall } of rows) {
    expect(better + worse).toBeLessThanOrEqual(reached)
    expect(fall).toBeLessThan(1)
  }
})

test("the median difference is one window's own, the lower of two middle ones", () => {
  const window = (end: bigint): GuardedOutcome[] => [
    { end: 100n, fall: 0.5, isReached: false },
    ...STANDARD_GUARDS.map(() => ({ end, fall: 0.2, isReached: true })),
  ]
  expect(guardEvidenceOf([90n, 130n, 95n, 100n].map(window))[0]).toMatchObject({
    medianDifference: -5n,
    better: 1,
    worse: 2,
    reached: 4,
    fall: 0.2,
    fallWithout: 0.5,
  })
})
