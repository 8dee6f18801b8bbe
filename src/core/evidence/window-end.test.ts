import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { candleAt, seriesOf, type CandleSeries } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { backtest, buyAndHold, type BacktestInput } from '#core/strategy/backtest.ts'
import type { ExposureChange } from '#core/strategy/exposure-changes.ts'
import { decideMarket } from '#core/strategy/sleeve.ts'
import { STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { windowEnds } from './window-end.ts'

const FROM_MS = Date.UTC(2024, 0, 1)
const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT']
const money = { invested: 10_000n * ONE, costs: VENUE_COSTS.binance, feeBps: PERFORMANCE_FEE_BPS }

/** Two simulated years; each pair has its own holes. */
function marketsOf(seed: number) {
  return PAIRS.map((pair, which) => {
    const whole = simulatedCandles({ seed, pair, fromMs: FROM_MS, count: 2 * 8_760 })
    return {
      pair,
      series: withHoles(whole, (index) => (index * 2_654_435_761 + which * 97) % 1_000 < 30),
    }
  })
}

function withHoles(series: CandleSeries, isHole: (index: number) => boolean): CandleSeries {
  return seriesOf(
    Array.from({ length: series.length }, (_, index) => index)
      .filter((index) => !isHole(index))
      .map((index) => candleAt(series, index)),
  )
}

const sellAll: ExposureChange = {
  closedCount: 0,
  exposureBps: 0,
  cause: { kind: 'hold', exposureBps: 0 },
}

/** A backtest over every candle of the window, then one of the following days that only sells. */
function endByBacktest(input: BacktestInput): Units {
  const { portfolio } = backtest(input)
  const markets = input.markets.map(({ pair, series }) => ({ pair, series, changes: [sellAll] }))
  return backtest({
    ...input,
    strategy: 'hold',
    markets,
    portfolio,
    fromMs: input.toMs,
    toMs: input.toMs + 3 * DAY_MS,
    yieldBps: 0,
  }).equity
}

test.each([1, 2, 3, 4, 5, 6])(
  'a window ends like a backtest whose coins are then sold: market %i',
  (seed) => {
    const markets = marketsOf(seed)
    for (const strategy of STRATEGY_KEYS) {
      const decided = markets.map((market) =>
        decideMarket({ ...market, strategy, costs: VENUE_COSTS.binance }),
      )
      for (const day of [90, 101, 140, 233, 300, 355]) {
        const window = { fromMs: FROM_MS + day * DAY_MS, toMs: FROM_MS + (day + 365) * DAY_MS }
        const yieldBps = day % 2 === 0 ? 437 : 0
        const end = windowEnds({ window, markets: decided, ...money, yieldBps }).once
        expect(end, `${strategy} from day ${day}`).toBe(
          endByBacktest({ strategy, markets, ...window, ...money, yieldBps }),
        )
      }
    }
  },
)

test('the platform fee is charged once on the profit of all pairs; a loss pays none', () => {
  const hasWon = [1, 2, 3, 4, 5, 6].flatMap((seed) => {
    const markets = marketsOf(seed).map((market) =>
      decideMarket({ ...market, strategy: 'trend-aggressive', costs: VENUE_COSTS.binance }),
    )
    return [90, 140, 233, 300, 355].map((day) => {
      const window = { fromMs: FROM_MS + day * DAY_MS, toMs: FROM_MS + (day + 365) * DAY_MS }
      const { once: out } = windowEnds({ window, markets, ...money, feeBps: 0 })
      const profit = out > money.invested ? out - money.invested : 0n
      expect(windowEnds({ window, markets, ...money }).once).toBe(out - (profit * 15n) / 100n)
      return profit > 0n
    })
  })
  expect(new Set(hasWon).size, 'some windows gain and some lose').toBe(2)
})

test('holding equals buying once and selling at the end, without the platform fee', () => {
  const [market] = marketsOf(7)
  const window = { fromMs: FROM_MS + 100 * DAY_MS, toMs: FROM_MS + 465 * DAY_MS }
  const markets = market ? [market] : []
  const held = buyAndHold({ strategy: 'hold', markets, ...window, ...money })
  const { once: end } = windowEnds({
    window,
    markets: markets.map((each) =>
      decideMarket({ ...each, strategy: 'hold', costs: VENUE_COSTS.binance }),
    ),
    ...money,
    feeBps: 0,
  })
  const saleCost = held.equity - end
  expect(saleCost).toBeGreaterThan(0n)
  expect(saleCost).toBeLessThan((held.equity * 150n) / 10_000n)
})

/** One pair without costs; `priceAt` takes hours since the start of 2024. */
function fixedMarket(priceAt: (hour: number) => bigint) {
  const candles = Array.from({ length: 8_760 + 24 * 91 }, (_, hour) => {
    const price = priceAt(hour) * ONE
    return {
      openTimeMs: FROM_MS + hour * HOUR_MS,
      open: price,
      high: price,
      low: price,
      close: price,
    }
  })
  return { pair: 'BTC/USDT' as const, series: seriesOf(candles) }
}

const free = { feeBps: 0, halfSpreadBps: 0, slippageBps: 0 }
const ninety = { fromMs: FROM_MS + 90 * DAY_MS, toMs: FROM_MS + 455 * DAY_MS }
const heldEnds = (market: ReturnType<typeof fixedMarket>, costs = free) =>
  windowEnds({
    window: ninety,
    markets: [decideMarket({ ...market, strategy: 'hold', costs })],
    invested: 12_000n * ONE,
    costs,
    feeBps: 0,
  })

test('monthly parts buy on one day of each month; money not invested yet stays the same', () => {
  // The window begins on 31 March: parts of $1,000 follow on 30 April, 31 May, … and 28 February.
  // The price doubles after the sixth part.
  const doubledHour = (Date.UTC(2024, 8, 15) - FROM_MS) / HOUR_MS
  const { once, monthly } = heldEnds(fixedMarket((hour) => (hour < doubledHour ? 100n : 200n)))
  expect(Number(once / ONE)).toBeCloseTo(24_000, -1)
  expect(Number(monthly / ONE)).toBeCloseTo(6 * 2_000 + 6 * 1_000, -1)
  const lastPartHour = (Date.UTC(2025, 1, 28) - FROM_MS) / HOUR_MS
  for (const [hourOfRise, parts] of [
    [lastPartHour, 11],
    [lastPartHour + 1, 12],
  ] as const) {
    const rise = heldEnds(fixedMarket((hour) => (hour < hourOfRise ? 100n : 200n)))
    expect(Number(rise.monthly / ONE), `${parts} parts before the rise`).toBeCloseTo(
      parts * 2_000 + (12 - parts) * 1_000,
      -1,
    )
  }
})

test('each monthly part pays the costs of its own purchase and sale', () => {
  const { once, monthly } = heldEnds(
    fixedMarket(() => 100n),
    { ...VENUE_COSTS.binance },
  )
  expect(once).toBeLessThan(12_000n * ONE)
  expect(Number(monthly)).toBeCloseTo(Number(once), -9)
})

test('amounts without a later candle stay cash', () => {
  const market = fixedMarket(() => 100n)
  const ended = { ...market, series: { ...market.series, length: 24 * 100 } }
  expect(Number(heldEnds(ended).monthly / ONE)).toBeCloseTo(12_000, -1)
})
