import { inEnglish } from '#core/sentences.ts'
import { describe, expect, test } from 'vitest'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { seriesOf } from '#core/market/candle-series.ts'
import { decimalToUnits as units, unitsToDecimal } from '#core/money/decimal.ts'
import { backtest, buyAndHold } from './backtest.ts'
import { BALANCED_DRIFT_BPS, balancedBps } from './balanced-share.ts'
import { RISK_LEVELS } from './risk-level.ts'
import { allowedDriftBps } from './strategy.ts'
import {
  choiceOf,
  levelsOf,
  STRATEGIES,
  STRATEGY_KEYS,
  strategyKey,
  type StrategyKey,
} from './strategy-key.ts'

/** Trades 1,000 dollars without costs on candles that each open at the previous close. */
function traded(strategy: StrategyKey, closes: readonly number[]) {
  const series = seriesOf(
    closes.map((price, hour): Candle => {
      const [open, close] = [units(String(closes[hour - 1] ?? price)), units(String(price))]
      return {
        openTimeMs: hour * HOUR_MS,
        open,
        high: open > close ? open : close,
        low: open < close ? open : close,
        close,
      }
    }),
  )
  const costs = { feeBps: 0, halfSpreadBps: 0, slippageBps: 0 }
  return backtest({
    strategy,
    markets: [{ pair: 'BTC/USDT', series }],
    invested: units('1000'),
    fromMs: 0,
    toMs: closes.length * HOUR_MS,
    costs,
    feeBps: 0,
  })
}

const lines = (strategy: StrategyKey, closes: readonly number[]) =>
  traded(strategy, closes).trades.map(({ timeMs, side, quantity, reason }) => [
    timeMs / HOUR_MS,
    side,
    unitsToDecimal(quantity, 2),
    inEnglish(reason),
  ])

describe('a balanced bot', () => {
  test('buys its share, and trades back only after a close outside its band', () => {
    expect(lines('balanced-moderate', [100, 120, 125, 125, 125, 100, 80])).toEqual([
      [0, 'buy', '5.00', '50% is kept in coins, the rest in cash'],
      [3, 'sell', '0.50', 'Coins were 56% of the money: back to 50%'],
      [6, 'buy', '0.56', 'Coins were 44% of the money: back to 50%'],
    ])
  })

  test.each([
    ['balanced-conservative', 25],
    ['balanced-moderate', 50],
    ['balanced-aggressive', 75],
  ] as const)('%s keeps %i percent in coins', (strategy, percent) => {
    const { portfolio } = traded(strategy, [100, 100])
    const [position] = portfolio.positions
    expect(Number(position?.base) / 1e8 / 10).toBeCloseTo(percent / 100, 5)
  })

  test('a balanced bot has a band that never reaches all coins or no coins', () => {
    for (const level of RISK_LEVELS) {
      expect(balancedBps(level) - BALANCED_DRIFT_BPS).toBeGreaterThan(0)
      expect(balancedBps(level) + BALANCED_DRIFT_BPS).toBeLessThan(10_000)
    }
  })
})

describe('a bot that holds', () => {
  test('buys once and never sells, whatever the price does', () => {
    expect(
      traded('hold', [100, 500, 1, 300, 20]).trades.map(({ side, reason }) => [
        side,
        inEnglish(reason),
      ]),
    ).toEqual([['buy', 'Bought to hold']])
  })

  test('equals the buy-and-hold benchmark of other bots', () => {
    const input = {
      markets: [],
      invested: units('1000'),
      fromMs: 0,
      toMs: 1,
      costs: { feeBps: 10, halfSpreadBps: 2, slippageBps: 5 },
      feeBps: 1_500,
    } as const
    const markets = [
      {
        pair: 'BTC/USDT' as const,
        series: seriesOf(
          [100, 130, 90].map((price, hour): Candle => {
            const close = units(String(price))
            return { openTimeMs: hour * HOUR_MS, open: close, high: close, low: close, close }
          }),
        ),
      },
    ]
    const whole = { ...input, markets, toMs: 3 * HOUR_MS }
    expect(buyAndHold({ ...whole, strategy: 'trend-moderate' }).curve).toEqual(
      backtest({ ...whole, strategy: 'hold', feeBps: 0 }).curve,
    )
  })
})

test('each kind at each of its levels is one strategy; there are no others', () => {
  const keys = STRATEGIES.flatMap((strategy) =>
    levelsOf(strategy).map((riskLevel) => strategyKey({ strategy, riskLevel })),
  )
  expect(keys).toEqual(STRATEGY_KEYS)
  for (const key of keys) expect(strategyKey(choiceOf(key))).toBe(key)
})

test('only balanced bots trade because of the price alone', () => {
  expect(
    STRATEGY_KEYS.filter((key) => allowedDriftBps(key) !== undefined).map(
      (key) => choiceOf(key).strategy,
    ),
  ).toEqual(['balanced', 'balanced', 'balanced'])
})
