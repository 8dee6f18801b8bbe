import { appendCandle, createSeries, type CandleSeries } from '#core/market/candle-series.ts'
import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { backtest, type BacktestInput } from '#core/strategy/backtest.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { median, milliseconds, report } from './report.ts'

/**
 * The speed of a backtest on one core, with fees, slippage and journal. Minutes stand in for hours:
 * the strategy counts candles, and only the speed matters here.
 */

const MINUTE_MS = 60_000
const CANDLES = 1_000_000
const PREVIEW_HOURS = 26_280
const ROUNDS = 7

export function run(): void {
  const { candlesPerSecond, doublingRatio, previewMs, trades, previewTrades } = measure()
  report({
    name: 'backtest, one pair, one core',
    measured: `${(candlesPerSecond / 1e6).toFixed(2)} million candles/s`,
    ratio: `${trades.toLocaleString('en')} trades`,
    target: { text: '≥ 6 million', met: candlesPerSecond >= 6e6 },
  })
  report({
    name: 'backtest, time(2N) ÷ time(N)',
    measured: doublingRatio.toFixed(2),
    target: { text: '≤ 2.2', met: doublingRatio <= 2.2 },
  })
  report({
    name: 'preview, 12 pairs × 3 years of hours',
    measured: milliseconds(previewMs),
    ratio: `${previewTrades.toLocaleString('en')} trades`,
    target: { text: '≤ 100 ms', met: previewMs <= 100 },
  })
}

type BacktestFigures = {
  /** With one pair and candles of a minute. */
  candlesPerSecond: number
  /** Time for twice the candles divided by the time for once. Linear is 2. */
  doublingRatio: number
  /** Time for twelve pairs and three years of hours, including the warm-up of the strategies. */
  previewMs: number
  trades: number
  previewTrades: number
}

function measure(): BacktestFigures {
  const long = walk({ count: 2 * CANDLES, candleMs: MINUTE_MS, seed: 1 })
  const minutes = (count: number): BacktestInput => ({
    ...common,
    markets: [{ pair: 'BTC/USDT', series: long }],
    fromMs: 0,
    toMs: count * MINUTE_MS,
    candleMs: MINUTE_MS,
  })
  const markets = PAIRS.map((pair, seed) => ({
    pair,
    series: walk({ count: PREVIEW_HOURS, candleMs: HOUR_MS, seed: seed + 2 }),
  }))
  const preview = { ...common, markets, fromMs: 0, toMs: PREVIEW_HOURS * HOUR_MS }
  const timed = rounds({ once: minutes(CANDLES), twice: minutes(2 * CANDLES), preview })
  return {
    candlesPerSecond: (2 * CANDLES) / (median(timed.map(({ twice }) => twice)) / 1_000),
    doublingRatio: median(timed.map(({ once, twice }) => twice / once)),
    previewMs: median(timed.map(({ preview: previewMs }) => previewMs)),
    trades: backtest(minutes(2 * CANDLES)).trades.length,
    previewTrades: backtest(preview).trades.length,
  }
}

const common = {
  strategy: 'trend-moderate',
  invested: decimalToUnits('10000'),
  costs: VENUE_COSTS.binance,
  feeBps: PERFORMANCE_FEE_BPS,
} as const

type Figures<Value> = { once: Value; twice: Value; preview: Value }

/**
 * The three measurements alternate, so that a busy moment of the machine affects all of them. The
 * first round is a warm-up and ignored.
 */
function rounds({ once, twice, preview }: Figures<BacktestInput>): Figures<number>[] {
  const all = Array.from({ length: ROUNDS + 1 }, () => ({
    once: timeOf(once),
    twice: timeOf(twice),
    preview: timeOf(preview),
  }))
  return all.slice(1)
}

function timeOf(input: BacktestInput): number {
  const startMs = performance.now()
  backtest(input)
  return performance.now() - startMs
}

/**
 * A seeded random walk with bursts of volatility: enough movement that trends turn and exposures
 * change.
 */
function walk({
  count,
  candleMs,
  seed,
}: {
  count: number
  candleMs: number
  seed: number
}): CandleSeries {
  const series = createSeries(count)
  let state = seed * 2_654_435_761
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
  let close = 6_000_000_000_000
  for (let index = 0; index < count; index += 1) {
    const open = close
    const spread = index % 5_000 < 1_500 ? 0.02 : 0.008
    close = Math.round(
      open * Math.exp((uniform() + uniform() - 1) * spread + (6e12 - open) / 6e12 / 50_000),
    )
    const high = Math.round(Math.max(open, close) * (1 + uniform() * spread * 0.3))
    const low = Math.round(Math.min(open, close) * (1 - uniform() * spread * 0.3))
    appendCandle(series, {
      openTimeMs: index * candleMs,
      open: BigInt(open),
      high: BigInt(high),
      low: BigInt(low),
      close: BigInt(close),
    })
  }
  return series
}
