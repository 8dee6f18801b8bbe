import { expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import { seriesOf } from '#core/market/candle-series.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { decimalToUnits as usd } from '#core/money/decimal.ts'
import { sentence } from '#core/sentences.ts'
import {
  closeCandle,
  closingNow,
  earnUntil,
  openRun,
  sellSleeve,
  serveSleeve,
  type BacktestRun,
  type Sleeve,
} from './sleeve.ts'

const FREE = { feeBps: 0, halfSpreadBps: 0, slippageBps: 0 }

/** A bot of $1,000 on hourly candles at `prices`, with target exposures by number of closes. */
function runOf(
  prices: readonly number[],
  targets: readonly (readonly [closedCount: number, exposureBps: number])[],
  { yieldBps = 0, feeBps = 0 } = {},
): { run: BacktestRun; sleeve: Sleeve } {
  const run = openRun({
    markets: [
      {
        pair: 'BTC/USDT',
        series: seriesOf(
          prices.map((price, hour) => {
            const units = usd(String(price))
            return {
              openTimeMs: hour * HOUR_MS,
              open: units,
              high: units,
              low: units,
              close: units,
            }
          }),
        ),
        changes: targets.map(([closedCount, exposureBps]) => ({
          closedCount,
          exposureBps,
          cause: { kind: 'hold', exposureBps },
        })),
      },
    ],
    invested: usd('1000'),
    fromMs: 0,
    toMs: prices.length * HOUR_MS,
    costs: FREE,
    feeBps,
    yieldBps,
    keepsTrades: true,
  })
  return { run, sleeve: required(run.sleeves[0], 'a sleeve') }
}

function pass(run: BacktestRun, sleeve: Sleeve, hours: number): void {
  for (let hour = 0; hour < hours; hour += 1) {
    serveSleeve(run, sleeve)
    closeCandle(sleeve)
  }
}

test('a changed target trades at the open of the next candle, and not before', () => {
  const { run, sleeve } = runOf([100, 200, 400], [[2, 5_000]])
  pass(run, sleeve, 2)
  expect(run.trades).toEqual([])
  pass(run, sleeve, 1)
  expect(run.trades).toMatchObject([{ timeMs: 2 * HOUR_MS, side: 'buy', quantity: usd('1.25') }])
})

test('an unchanged target trades nothing, however far the price moves', () => {
  const { run, sleeve } = runOf([100, 900, 10], [[0, 5_000]])
  pass(run, sleeve, 3)
  expect(run.trades).toHaveLength(1)
})

test('a target whose order would be empty counts as applied', () => {
  const { run, sleeve } = runOf(
    [100, 100],
    [
      [0, 0],
      [1, 0],
    ],
  )
  sleeve.position = { ...sleeve.position, appliedBps: 5_000 }
  pass(run, sleeve, 1)
  expect([sleeve.position.appliedBps, run.trades]).toEqual([0, []])
})

test('cash earns interest once for each midnight that has passed', () => {
  const { run, sleeve } = runOf([100], [], { yieldBps: 3_650 })
  earnUntil(run, sleeve, 24 * HOUR_MS - 1)
  expect(sleeve.position.cash).toBe(usd('1000'))
  earnUntil(run, sleeve, 48 * HOUR_MS)
  earnUntil(run, sleeve, 48 * HOUR_MS)
  expect(sleeve.position.cash).toBe(usd('1002.001'))
})

test('a stopped sleeve sells its coins with the given reason, and keeps its target', () => {
  const { run, sleeve } = runOf([100, 80], [[0, 5_000]])
  pass(run, sleeve, 1)
  sellSleeve(run, sleeve, sentence('leaving'))
  expect(run.trades?.at(-1)).toMatchObject({ side: 'sell', timeMs: HOUR_MS })
  expect([sleeve.position.base, sleeve.position.cash]).toEqual([0n, usd('900')])
  expect(sleeve.targetBps).toBe(5_000)
})

test('closing pays the fee on the profit at the last closes, and none on a loss', () => {
  const ends = ([200, 50] as const).map((price) => {
    const { run, sleeve } = runOf([100, price], [[0, 5_000]], { feeBps: 1_500 })
    pass(run, sleeve, 2)
    return closingNow(run)
  })
  expect(ends).toEqual([
    { equity: usd('1425'), fee: usd('75') },
    { equity: usd('750'), fee: 0n },
  ])
})
