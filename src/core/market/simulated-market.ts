import { assert, required } from '#core/assert.ts'
import { CRYPTO_ASSETS, type CryptoAsset } from '#core/money/asset.ts'
import { HOUR_MS } from './candle.ts'
import { appendSignals, createSeries, type CandleSeries } from './candle-series.ts'
import { baseOf, type Pair } from './pair.ts'
import { mix } from './seeded.ts'
import { SEGMENT_HOURS, segmentsOf, type NewsSegment } from './simulated-source.ts'

/**
 * A simulated asset: `price` that it fluctuates around, in units of quote; typical `volatility` a year, a fraction; `correlation` with
 * BTC; `tick`, the smallest price step in units.
 */
type SimulatedAsset = { price: number; volatility: number; correlation: number; tick: number }

/** Prices of 2024 and 2025. Volatilities and correlations are measured on real candles, or taken from similar coins. */
const ASSETS: Record<CryptoAsset, SimulatedAsset> = {
  BTC: { price: 60_000e8, volatility: 0.55, correlation: 1, tick: 1e6 },
  ETH: { price: 3_000e8, volatility: 0.7, correlation: 0.8, tick: 1e6 },
  ADA: { price: 0.6e8, volatility: 0.9, correlation: 0.65, tick: 1e4 },
  DOT: { price: 6e8, volatility: 0.9, correlation: 0.65, tick: 1e5 },
  SOL: { price: 140e8, volatility: 1, correlation: 0.65, tick: 1e6 },
  AVAX: { price: 28e8, volatility: 1, correlation: 0.65, tick: 1e6 },
  POL: { price: 0.5e8, volatility: 1, correlation: 0.6, tick: 1e4 },
  LINK: { price: 15e8, volatility: 0.9, correlation: 0.65, tick: 1e6 },
  UNI: { price: 9e8, volatility: 1, correlation: 0.6, tick: 1e5 },
  LTC: { price: 85e8, volatility: 0.8, correlation: 0.65, tick: 1e6 },
  XRP: { price: 0.55e8, volatility: 0.9, correlation: 0.55, tick: 1e4 },
  BNB: { price: 550e8, volatility: 0.65, correlation: 0.65, tick: 1e6 },
}

/** One hour in `GAP_ONE_IN` opens with a gap to the previous close, of at most the fraction `GAP`. */
const GAP_ONE_IN = 16
const GAP = 0.0004

/**
 * `count` hourly candles of a fictitious market, starting at the whole hour `fromMs`. Each of the 12 assets is moved by a common source of
 * news and by its own, with calm and wild months, volatility clusters and jumps. A seed determines the whole market, whatever window is
 * requested. Returns are not autocorrelated, so trends are chance. Log prices have no drift: the median coin goes nowhere. (The mean
 * price does grow by half its variance a year, as it must when prices neither die out nor explode, so holding many coins gains on average.
 * That is arithmetic, not evidence, as is every result on this market.)
 */
export function simulatedCandles({ seed, pair, fromMs, count }: { seed: number; pair: Pair; fromMs: number; count: number }): CandleSeries {
  const firstHour = fromMs / HOUR_MS
  assert(Number.isInteger(firstHour) && firstHour >= 0 && count >= 0, 'simulated candles start at a whole hour after 1970')
  const series = createSeries(count)
  if (count === 0) return series
  const first = Math.floor(firstHour / SEGMENT_HOURS)
  const last = Math.floor((firstHour + count - 1) / SEGMENT_HOURS)
  const name = baseOf(pair)
  const asset = ASSETS[name]
  const number = CRYPTO_ASSETS.indexOf(name)
  const common = segmentsOf({ seed, source: 0, first, last })
  const own = number === 0 ? [] : segmentsOf({ seed, source: number, first, last })
  const stream = mix({ seed, stream: number, step: 0, salt: 2 })
  for (let segment = first; segment <= last; segment += 1) {
    const path = pathOf({ asset, common: required(common[segment - first], 'every source has every segment'), own: own[segment - first] })
    const begin = Math.max(firstHour, segment * SEGMENT_HOURS)
    const stop = Math.min(firstHour + count, (segment + 1) * SEGMENT_HOURS)
    for (let hour = begin; hour < stop; hour += 1) appendHour({ series, path, asset, hour, within: hour - segment * SEGMENT_HOURS, stream })
  }
  return series
}

/** An asset's log prices relative to its `price`, and the standard deviation of each hour. */
function pathOf({ asset, common, own }: { asset: SimulatedAsset; common: NewsSegment; own: NewsSegment | undefined }): NewsSegment {
  const commonWeight = asset.volatility * asset.correlation
  const ownWeight = asset.volatility * Math.sqrt(1 - asset.correlation ** 2)
  const levels = new Float64Array(SEGMENT_HOURS + 1)
  const deviations = new Float64Array(SEGMENT_HOURS + 1)
  for (let hour = 0; hour <= SEGMENT_HOURS; hour += 1) {
    levels[hour] = commonWeight * (common.levels[hour] ?? 0) + ownWeight * (own?.levels[hour] ?? 0)
    deviations[hour] = Math.sqrt((commonWeight * (common.deviations[hour] ?? 0)) ** 2 + (ownWeight * (own?.deviations[hour] ?? 0)) ** 2)
  }
  return { levels, deviations }
}

type Hour = { series: CandleSeries; path: NewsSegment; asset: SimulatedAsset; hour: number; within: number; stream: number }

/** High and low are drawn from the extremes of a Brownian bridge between open and close. */
function appendHour({ series, path, asset, hour, within, stream }: Hour): void {
  const { price, tick } = asset
  const from = path.levels[within] ?? 0
  const to = path.levels[within + 1] ?? 0
  const bits = mix({ seed: stream, stream: 0, step: hour })
  const before = toTick(price * Math.exp(from), tick)
  const gap = bits % GAP_ONE_IN === 0 ? 1 + GAP * ((bits >>> 8) / 0x1000000 - 0.5) * 2 : 1
  const open = gap === 1 ? before : toTick(before * gap, tick)
  const close = toTick(price * Math.exp(to), tick)
  const variance = (path.deviations[within + 1] ?? 0) ** 2
  const move = Math.abs(to - from)
  const above = (Math.sqrt(move * move - 2 * variance * Math.log(((bits & 0xffff) + 1) / 0x10000)) - move) / 2
  const below = (Math.sqrt(move * move - 2 * variance * Math.log(((bits >>> 16) + 1) / 0x10000)) - move) / 2
  appendSignals(series, {
    openTimeMs: hour * HOUR_MS,
    open,
    high: Math.ceil((Math.max(open, close) * (1 + above)) / tick) * tick,
    low: Math.max(tick, Math.floor((Math.min(open, close) * (1 - below)) / tick) * tick),
    close,
  })
}

function toTick(price: number, tick: number): number {
  return Math.max(1, Math.round(price / tick)) * tick
}
