import { expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import { windowEnds } from '#core/evidence/window-end.ts'
import type { Guards } from '#core/guards/guard.ts'
import { candleAt, type CandleSeries } from '#core/market/candle-series.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import type { Pair } from '#core/market/pair.ts'
import { backtest } from '#core/strategy/backtest.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { exposureChanges } from '#core/strategy/exposure-changes.ts'
import { decideMarket } from '#core/strategy/sleeve.ts'
import { VENUE_COSTS, type TradingCosts, type VenueName } from '#core/trading/costs.ts'
import { readCandleFile } from '#server/market/candle-file.ts'
import { recordedFiles } from '#server/market/recorded-candles.ts'
import { replay, windowEnd, type Charges, type Guarding, type Market } from './replay.ts'
import { exposures, FAST, LEVELS, SLOW, trendsUp, volatilities, type Bar } from './trends.ts'

/**
 * Compares the engine with a second one, which was written from docs/strategies.md and imports
 * nothing of the product.
 */

const DAY_MS = 86_400_000
const OURS_BPS = 1_500
const recorded = recordedFiles('/nonexistent').map(({ file, pair }) => ({
  pair,
  series: readCandleFile({ file, pair, untilMs: Number.POSITIVE_INFINITY }),
}))

type Both = { pair: Pair; series: CandleSeries; market: Record<RiskLevel, Market> }
type Past = {
  markets: readonly Both[]
  riskLevel: RiskLevel
  invested: bigint
  fromMs: number
  days: number
  venue: VenueName
  yieldBps?: number
  guarding?: Guarding
}

function barsOf(series: CandleSeries): Bar[] {
  return Array.from({ length: series.length }, (_, index) => ({
    high: Number(series.high[index]),
    low: Number(series.low[index]),
    close: Number(series.close[index]),
  }))
}

/** The second engine's view of a market, at the lookbacks of an exchange. */
function both(
  { pair, series }: { pair: Pair; series: CandleSeries },
  lookbacks: readonly number[],
): Both {
  const bars = barsOf(series)
  const [up, measured] = [trendsUp(bars, lookbacks), volatilities(bars)]
  const quotes = Array.from({ length: series.length }, (_, index) => candleAt(series, index)).map(
    ({ openTimeMs, open, close }) => ({ at: openTimeMs, open, close }),
  )
  const marketAt = (level: RiskLevel): Market => ({
    name: pair,
    quotes,
    wanted: exposures({ up, measured, level: LEVELS[level] }),
  })
  return {
    pair,
    series,
    market: {
      conservative: marketAt('conservative'),
      moderate: marketAt('moderate'),
      aggressive: marketAt('aggressive'),
    },
  }
}

/** The product's exposure in percent after each candle. */
function decided(series: CandleSeries, riskLevel: RiskLevel, costs: TradingCosts): Uint8Array {
  const wanted = new Uint8Array(series.length + 1)
  const changes = exposureChanges({
    strategy: `trend-${riskLevel}`,
    costs,
    series,
    fromCount: 0,
    toCount: series.length,
  })
  for (const { closedCount, exposureBps } of changes) wanted.fill(exposureBps / 100, closedCount)
  return wanted
}

const chargesOf = ({ feeBps, halfSpreadBps, slippageBps }: TradingCosts): Charges => ({
  fee: BigInt(feeBps),
  halfSpread: BigInt(halfSpreadBps),
  slippage: BigInt(slippageBps),
  ours: BigInt(OURS_BPS),
})

const fast = recorded.map((market) => both(market, FAST))

test.each<[VenueName, readonly number[]]>([
  ['binance', FAST],
  ['coinbase', SLOW],
])(
  'every hourly decision on the recorded candles is the same at the costs of %s',
  (venue, lookbacks) => {
    const markets = venue === 'binance' ? fast : recorded.map((market) => both(market, lookbacks))
    let compared = 0
    for (const { pair, series, market } of markets) {
      for (const riskLevel of RISK_LEVELS) {
        const [product, second] = [
          decided(series, riskLevel, VENUE_COSTS[venue]),
          market[riskLevel].wanted,
        ]
        const differs = product.findIndex((exposure, index) => exposure !== second[index])
        expect(differs, `${pair} ${riskLevel}: first hour that differs`).toBe(-1)
        compared += second.length
      }
    }
    expect(compared).toBe(657_060)
  },
)

/** Small, odd and large investments, so that empty orders and every rounding occur. */
const AMOUNTS = [1_000_000_000_000n, 100_000_000n, 33_333_333_333n, 1n, 999_999_999_999_937n, 50n]

function guardsOf({ stop, mark = 'start', take, daily, days }: Guarding): Guards {
  const bps = (figure: bigint | undefined) => (figure === undefined ? null : Number(figure))
  return {
    stopLossBps: bps(stop),
    stopLossFrom: mark === 'best' ? 'best' : 'invested',
    takeProfitBps: bps(take),
    dailyLossBps: bps(daily),
    coolDownDays: days ?? null,
  }
}

function compareBacktest({
  markets,
  riskLevel,
  invested,
  fromMs,
  days,
  venue,
  yieldBps = 0,
  guarding = {},
}: Past): { trades: number; stops: string[] } {
  const costs = VENUE_COSTS[venue]
  const toMs = fromMs + days * DAY_MS
  const product = backtest({
    strategy: `trend-${riskLevel}`,
    markets,
    invested,
    fromMs,
    toMs,
    costs,
    feeBps: OURS_BPS,
    yieldBps,
    guards: guardsOf(guarding),
  })
  const second = replay({
    markets: markets.map(({ market }) => market[riskLevel]),
    invested,
    from: fromMs,
    to: toMs,
    charges: chargesOf(costs),
    yearly: BigInt(yieldBps),
    guarding,
  })
  expect(
    product.stops.map(({ guard, timeMs, endedMs }) => ({ guard, at: timeMs, ended: endedMs })),
  ).toEqual(second.stops)
  expect(
    product.trades.map(({ timeMs, pair, side, quantity, price, notional, fee, profit }) => ({
      at: timeMs,
      name: pair,
      side,
      quantity,
      price,
      notional,
      fee,
      profit,
    })),
  ).toEqual(second.deals)
  expect({
    equity: product.equity,
    platformFee: product.platformFees,
    venueFees: product.venueFees,
  }).toEqual({
    equity: second.equity,
    platformFee: second.platformFee,
    venueFees: second.venueFees,
  })
  expect(product.maxDrawdown).toBeCloseTo(second.deepest, 12)
  expect(product.sharpe ?? 0).toBeCloseTo(second.sharpe ?? 0, 9)
  return { trades: second.deals.length, stops: second.stops.map(({ guard }) => guard) }
}

test('120 backtests of all levels, pairs, lengths and costs agree trade by trade', () => {
  let trades = 0
  for (let which = 0; which < 120; which += 1) {
    const riskLevel = required(RISK_LEVELS[which % 3], 'a level')
    const markets = fast.filter(
      (_market, place) => which % 31 === 0 || ((which % 31) >> place) % 2 === 1,
    )
    // Some start before the first candle, or before the longest trend has enough candles.
    const fromMs = Date.UTC(2020, 8, 19) + which * 9 * DAY_MS + (which % 24) * 3_600_000
    trades += compareBacktest({
      markets,
      riskLevel,
      invested: required(AMOUNTS[which % AMOUNTS.length], 'an amount'),
      fromMs,
      days: 1 + ((which * 37) % 400),
      venue: which % 2 === 0 ? 'binance' : 'kraken',
      yieldBps: (which % 4) * 150,
    }).trades
  }
  expect(trades).toBeGreaterThan(5_000)
})

test('a market with holes, and pairs that begin and end at different times, agree too', () => {
  const cut = (pair: Pair, { from, to, seed }: { from: number; to: number; seed: number }) => {
    const whole = simulatedCandles({
      seed,
      pair,
      fromMs: Date.UTC(2023, 0, 1) + from * DAY_MS,
      count: (to - from) * 24,
    })
    return both({ pair, series: withHoles(whole) }, FAST)
  }
  const markets = [
    cut('BTC/USDT', { from: 0, to: 300, seed: 5 }),
    cut('ETH/USDT', { from: 150, to: 400, seed: 5 }),
    cut('SOL/USDT', { from: 0, to: 180, seed: 6 }),
  ]
  for (const riskLevel of RISK_LEVELS)
    compareBacktest({
      markets,
      riskLevel,
      invested: 1_000_000_000_000n,
      fromMs: Date.UTC(2023, 3, 1),
      days: 200,
      venue: 'kraken',
      yieldBps: 437,
    })
})

const GUARDINGS: readonly Guarding[] = [
  { stop: 300n, days: 3 },
  { stop: 400n, mark: 'best', days: 1 },
  { take: 500n, days: 2 },
  { daily: 150n, stop: 600n },
  { daily: 100n, take: 2_000n, stop: 900n, mark: 'best', days: 7 },
]

test('60 backtests with guards agree on every stop and trade, despite holes', () => {
  const holed = fast
    .slice(0, 3)
    .map(({ pair, series }) => both({ pair, series: withHoles(series) }, FAST))
  const stops = Array.from(
    { length: 60 },
    (_, which) =>
      compareBacktest({
        markets: (which % 4 === 0 ? holed : fast).filter(
          (_market, place) => which % 3 === 0 || place === which % 5 || place === 0,
        ),
        riskLevel: required(RISK_LEVELS[which % 3], 'a level'),
        invested: 1_000_000_000_000n,
        fromMs: Date.UTC(2021, 0, 1) + which * 20 * DAY_MS + (which % 24) * 3_600_000,
        days: 120,
        venue: 'binance',
        yieldBps: (which % 2) * 437,
        guarding: required(GUARDINGS[which % GUARDINGS.length], 'guards'),
      }).stops,
  ).flat()
  expect([...new Set(stops)].toSorted()).toEqual([
    'daily-loss',
    'stop-loss',
    'take-profit',
    'trailing-stop',
  ])
  expect(stops.length).toBeGreaterThan(100)
})

test('300 windows of twelve months end with the same money to the unit', () => {
  const costs = VENUE_COSTS.binance
  let compared = 0
  for (const riskLevel of RISK_LEVELS) {
    const markets = fast.map(({ pair, series }) =>
      decideMarket({ pair, series, strategy: `trend-${riskLevel}`, costs }),
    )
    for (let day = 0; day < 1_380; day += 14) {
      const window = {
        fromMs: Date.UTC(2020, 11, 10) + day * DAY_MS,
        toMs: Date.UTC(2020, 11, 10) + (day + 365) * DAY_MS,
      }
      const yieldBps = (day % 4) * 150
      const { once: end } = windowEnds({
        window,
        markets,
        invested: 1_000_000_000_000n,
        costs,
        feeBps: OURS_BPS,
        yieldBps,
      })
      expect(
        windowEnd({
          markets: fast.map(({ market }) => market[riskLevel]),
          invested: 1_000_000_000_000n,
          from: window.fromMs,
          to: window.toMs,
          charges: chargesOf(costs),
          yearly: BigInt(yieldBps),
        }),
      ).toBe(end)
      compared += 1
    }
  }
  expect(compared).toBeGreaterThanOrEqual(297)
})

function withHoles(series: CandleSeries): CandleSeries {
  const kept = Array.from({ length: series.length }, (_, index) => index).filter(
    (index) => index % 89 > 3,
  )
  const columns = {
    open: BigInt64Array,
    high: BigInt64Array,
    low: BigInt64Array,
    close: BigInt64Array,
  } as const
  const pick = (name: keyof typeof columns) =>
    BigInt64Array.from(kept, (index) => series[name][index] ?? 0n)
  const signal = (name: 'openTimesMs' | 'highSignal' | 'lowSignal' | 'closeSignal') =>
    Float64Array.from(kept, (index) => series[name][index] ?? 0)
  return {
    length: kept.length,
    openTimesMs: signal('openTimesMs'),
    open: pick('open'),
    high: pick('high'),
    low: pick('low'),
    close: pick('close'),
    highSignal: signal('highSignal'),
    lowSignal: signal('lowSignal'),
    closeSignal: signal('closeSignal'),
  }
}
