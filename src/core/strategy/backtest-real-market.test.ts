import { inEnglish } from '#core/sentences.ts'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '#core/market/candle.ts'
import {
  appendCandle,
  candleAt,
  createSeries,
  type CandleSeries,
} from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { REAL_PAIRS, realCandles } from '../../../bench/real-candles.ts'
import type { BacktestTrade } from './backtest-trade.ts'
import { backtest, type BacktestInput } from './backtest.ts'
import { exposureChanges } from './exposure-changes.ts'
import { advance, candleSignalAt, startStrategy } from './strategy.ts'
import { choiceOf, STRATEGY_KEYS, type StrategyKind } from './strategy-key.ts'

const COUNT = 6_000
const START = 20_000

const simulated = simulatedCandles({
  seed: 11,
  pair: 'ETH/USDT',
  fromMs: Date.UTC(2022, 0, 1),
  count: COUNT,
})
const windows: [name: string, pair: Pair, series: CandleSeries][] = [
  ...REAL_PAIRS.map((pair): [string, Pair, CandleSeries] => [
    `real ${pair}`,
    pair,
    cut(realCandles(pair), START),
  ]),
  ['simulated ETH/USDT', 'ETH/USDT', simulated],
]

describe.each(windows)('on %s', (_name, pair, series) => {
  test.each(STRATEGY_KEYS)('later candles change no earlier %s decision or trade', (strategy) => {
    const changes = exposureChanges({
      strategy,
      costs: VENUE_COSTS.binance,
      series,
      fromCount: 0,
      toCount: COUNT,
    })
    const { trades } = backtest({
      ...common,
      strategy,
      markets: [{ pair, series }],
      fromMs: 0,
      toMs: Number.MAX_SAFE_INTEGER,
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: COUNT - 1 }),
        fc.integer({ min: 1, max: 1_000 }),
        (known, seed) => {
          const other = otherFuture({ series, known, seed })
          const lastKnownMs = series.openTimesMs[known - 1] ?? 0
          const until = (entries: typeof changes) =>
            entries.filter(({ closedCount }) => closedCount <= known)
          expect(
            until(
              exposureChanges({
                strategy,
                costs: VENUE_COSTS.binance,
                series: other,
                fromCount: 0,
                toCount: COUNT,
              }),
            ),
          ).toEqual(until(changes))
          const changed = backtest({
            ...common,
            strategy,
            markets: [{ pair, series: other }],
            fromMs: 0,
            toMs: Number.MAX_SAFE_INTEGER,
          })
          const knownTrades = (all: readonly BacktestTrade[]) =>
            journal(all.filter(({ timeMs }) => timeMs <= lastKnownMs))
          expect(knownTrades(changed.trades)).toBe(knownTrades(trades))
        },
      ),
      { numRuns: 8 },
    )
  })

  test('deciding candle by candle and scanning the series agree', () => {
    for (const strategy of STRATEGY_KEYS) {
      const changes = exposureChanges({
        strategy,
        costs: VENUE_COSTS.binance,
        series,
        fromCount: 0,
        toCount: COUNT,
      })
      const state = startStrategy(strategy, VENUE_COSTS.binance)
      for (let closedCount = 0; closedCount <= COUNT; closedCount += 1) {
        if (closedCount > 0) advance(state, candleSignalAt(series, closedCount - 1))
        if ([0, 1, 240, 241, 1_999, 3_517, COUNT].includes(closedCount)) {
          expect(state.exposureBps).toBe(
            changes.findLast((change) => change.closedCount <= closedCount)?.exposureBps,
          )
        }
      }
    }
  })
})

describe.each(STRATEGY_KEYS)('a %s bot on five real pairs', (strategy) => {
  const markets = REAL_PAIRS.map((pair) => ({ pair, series: realCandles(pair) }))
  const [fromMs, middleMs, toMs] = [
    Date.UTC(2023, 0, 1),
    Date.UTC(2024, 2, 5, 7),
    Date.UTC(2025, 0, 1),
  ]
  const whole = backtest({ ...common, strategy, markets, fromMs, toMs })
  const { leastTrades, reasons } = KINDS[choiceOf(strategy).strategy]

  test('restarted midway, it makes the same trades', () => {
    const before = backtest({ ...common, strategy, markets, fromMs, toMs: middleMs })
    const after = backtest({
      ...common,
      strategy,
      markets,
      fromMs: middleMs,
      toMs,
      portfolio: before.portfolio,
    })
    expect(before.trades.length).toBeGreaterThan(leastTrades / 2)
    expect(after.trades.length).toBeGreaterThan(strategy === 'hold' ? -1 : leastTrades / 2)
    expect(journal([...before.trades, ...after.trades])).toBe(journal(whole.trades))
    expect(after.portfolio).toEqual(whole.portfolio)
    expect([after.equity, after.platformFees]).toEqual([whole.equity, whole.platformFees])
  })

  test('shared exposure changes lead to the same trades', () => {
    const shared = markets.map(({ pair, series }) => ({
      pair,
      series,
      changes: exposureChanges({
        strategy,
        costs: VENUE_COSTS.binance,
        series,
        fromCount: 0,
        toCount: series.length,
      }),
    }))
    const figures = (trades: readonly BacktestTrade[]) =>
      trades.map(({ reason: _reason, ...figure }) => figure)
    expect(
      figures(backtest({ ...common, strategy, markets: shared, fromMs, toMs }).trades),
    ).toEqual(figures(whole.trades))
  })

  test('every trade has a reason with figures, and the curve is short', () => {
    for (const { reason } of whole.trades) expect(inEnglish(reason)).toMatch(reasons)
    expect(whole.curve.length).toBeLessThanOrEqual(400)
    expect(whole.curve.length).toBeGreaterThan(390)
  })
})

/** Minimum trades in two years on five pairs, and the wording of their reasons. */
const KINDS: Record<StrategyKind, { leastTrades: number; reasons: RegExp }> = {
  trend: {
    leastTrades: 100,
    reasons: /^(?:The price (?:rose|fell) .*\(\$[\d,.]+\)|No trend turned)\. .* invested\.$/,
  },
  hold: { leastTrades: 5, reasons: /^Bought to hold$/ },
  balanced: {
    leastTrades: 50,
    reasons: new RegExp(
      '^Coins were \\d+% of the money: back to (?:25|50|75)%$|' +
        '^(?:25|50|75)% is kept in coins, the rest in cash$',
    ),
  },
}

const common = {
  invested: decimalToUnits('10000'),
  costs: VENUE_COSTS.binance,
  feeBps: 1_500,
} satisfies Partial<BacktestInput>

function journal(trades: readonly BacktestTrade[]): string {
  const text = JSON.stringify(trades, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  return createHash('sha256').update(text).digest('hex')
}

function cut(series: CandleSeries, from: number): CandleSeries {
  const part = createSeries(COUNT)
  for (let index = from; index < from + COUNT; index += 1)
    appendCandle(part, candleAt(series, index))
  return part
}

/** The first `known` candles followed by those of another simulated market. */
function otherFuture({
  series,
  known,
  seed,
}: {
  series: CandleSeries
  known: number
  seed: number
}): CandleSeries {
  const other = createSeries(COUNT)
  for (let index = 0; index < known; index += 1) appendCandle(other, candleAt(series, index))
  const fromMs = (series.openTimesMs[known - 1] ?? 0) + HOUR_MS
  const future = simulatedCandles({ seed, pair: 'SOL/USDT', fromMs, count: COUNT - known })
  for (let index = 0; index < future.length; index += 1)
    appendCandle(other, candleAt(future, index))
  return other
}
