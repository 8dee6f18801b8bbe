import { assert, required } from '#core/assert.ts'
import { CRYPTO_ASSETS, type CryptoAsset } from '#core/money/asset.ts'
import { HOUR_MS, HOURS_A_YEAR } from './candle.ts'
import { appendSignals, createSeries, type CandleSeries } from './candle-series.ts'
import { baseOf, type Pair } from './pair.ts'
import { mix } from './seeded.ts'
import {
  logMeans,
  moveOf,
  newsOf,
  SEGMENT_HOURS,
  spreadNews,
  type News,
  type Place,
} from './simulated-source.ts'

/** `price` at the origin; `volatility` a year; `correlation` with BTC; `tick`: the price step. */
type SimulatedAsset = { price: number; volatility: number; correlation: number; tick: number }

/**
 * Prices of 2024 and 2025; the other figures are measured on real candles of these or similar
 * coins.
 */
const ASSETS: Record<CryptoAsset, SimulatedAsset> = {
  BTC: { price: 60_000e8, volatility: 0.55, correlation: 1, tick: 1e6 },
  ETH: { price: 3_000e8, volatility: 0.7, correlation: 0.8, tick: 1e6 },
  ADA: { price: 0.6e8, volatility: 0.9, correlation: 0.65, tick: 1e3 },
  DOT: { price: 6e8, volatility: 0.9, correlation: 0.65, tick: 1e4 },
  SOL: { price: 140e8, volatility: 1, correlation: 0.65, tick: 1e5 },
  AVAX: { price: 28e8, volatility: 1, correlation: 0.65, tick: 1e4 },
  POL: { price: 0.5e8, volatility: 1, correlation: 0.6, tick: 1e3 },
  LINK: { price: 15e8, volatility: 0.9, correlation: 0.65, tick: 1e4 },
  UNI: { price: 9e8, volatility: 1, correlation: 0.6, tick: 1e4 },
  LTC: { price: 85e8, volatility: 0.8, correlation: 0.65, tick: 1e5 },
  XRP: { price: 0.55e8, volatility: 0.9, correlation: 0.55, tick: 1e3 },
  BNB: { price: 550e8, volatility: 0.65, correlation: 0.65, tick: 1e5 },
}

/** One hour in `GAP_ONE_IN` opens away from the previous close, by a fraction of at most `GAP`. */
const GAP_ONE_IN = 16
const GAP = 0.0004

/** At the start of this segment, in December 2023, prices equal `price`. */
const ORIGIN = 473

/**
 * The volatility of a fallen coin falls with the square root of its price. A coin that has risen
 * fiftyfold is calmed too, so that its moves stop growing in dollars.
 */
const CALMING = 0.5
const HIGH = Math.log(50)

/** The most by which a fallen coin's log price rises in a segment: 1 % a year. */
const LIFT = (0.01 * SEGMENT_HOURS) / HOURS_A_YEAR

/**
 * `count` hourly candles of a fictitious market, starting at the whole hour `fromMs`. Each of the
 * 12 assets is moved by common news and its own, with calm and wild months, volatility clusters and
 * jumps. A seed determines the whole market, whatever window is requested. Prices are a martingale:
 * on average, neither holding nor any rule earns anything; since a few coins rise much, the median
 * coin falls. Prices of a martingale vanish in the end;
 * docs/decisions/053-a-fair-simulated-market.md describes how these prices deviate from one, and
 * why coins that have fallen are calm and rise by up to 1 % a year.
 */
export function simulatedCandles({
  seed,
  pair,
  fromMs,
  count,
}: {
  seed: number
  pair: Pair
  fromMs: number
  count: number
}): CandleSeries {
  const firstHour = fromMs / HOUR_MS
  assert(
    Number.isInteger(firstHour) && firstHour >= 0 && count >= 0,
    'simulated candles start at a whole hour after 1970',
  )
  const series = createSeries(count)
  if (count === 0) return series
  const name = baseOf(pair)
  const asset = ASSETS[name]
  const number = CRYPTO_ASSETS.indexOf(name)
  const stream = mix({ seed, stream: number, step: 0, salt: 2 })
  const last = Math.floor((firstHour + count - 1) / SEGMENT_HOURS)
  const starts = startsOf({ seed, number, first: Math.floor(firstHour / SEGMENT_HOURS), last })
  for (const { segment, level, calm } of starts) {
    const path = pathOf({
      sources: sourcesOf({ seed, number, segment, calm }),
      level,
      lift: liftAt(level),
    })
    const begin = Math.max(firstHour, segment * SEGMENT_HOURS)
    const stop = Math.min(firstHour + count, (segment + 1) * SEGMENT_HOURS)
    for (let hour = begin; hour < stop; hour += 1)
      appendHour({ series, path, asset, hour, within: hour - segment * SEGMENT_HOURS, stream })
  }
  return series
}

/**
 * `level`: log price relative to `price`. `calm`: factor of the volatility until the next start.
 */
type Start = { segment: number; level: number; calm: number }

/**
 * The state at the start of the segments `first` to `last`, iterated from the origin. Costs about 9
 * iterations per year of distance.
 */
function startsOf({
  seed,
  number,
  first,
  last,
}: {
  seed: number
  number: number
  first: number
  last: number
}): Start[] {
  const starts: Start[] = []
  const keep = (start: Start) => {
    if (start.segment >= first && start.segment <= last) starts.push(start)
  }
  let level = 0
  for (let segment = ORIGIN; segment <= last; segment += 1) {
    const calm = calmAt(level)
    keep({ segment, level, calm })
    level += stepOf(sourcesOf({ seed, number, segment, calm })) + liftAt(level)
  }
  level = 0
  // Backwards from the origin, calmness is computed from a segment's end, because its start is not
  // known yet.
  for (let segment = ORIGIN - 1; segment >= first; segment -= 1) {
    const calm = calmAt(level)
    level -= stepOf(sourcesOf({ seed, number, segment, calm })) + liftAt(level)
    keep({ segment, level, calm })
  }
  return starts.toSorted((a, b) => a.segment - b.segment)
}

function calmAt(level: number): number {
  return Math.exp(-Math.max(0, -CALMING * level, level - HIGH))
}

function liftAt(level: number): number {
  return LIFT * (1 - Math.exp(Math.min(0, level)))
}

/** `means`: subtracted to keep the mean price. */
type Source = {
  place: Place
  news: News
  weight: number
  means: { shock: number; jumps: number }
}

function sourcesOf({
  seed,
  number,
  segment,
  calm,
}: {
  seed: number
  number: number
  segment: number
  calm: number
}): Source[] {
  const { volatility, correlation } =
    ASSETS[required(CRYPTO_ASSETS[number], 'a simulated asset has a number')]
  const common = { source: 0, weight: calm * volatility * correlation }
  const own = { source: number, weight: calm * volatility * Math.sqrt(1 - correlation ** 2) }
  return (number === 0 ? [common] : [common, own]).map(({ source, weight }) => {
    const place = { seed, source, segment }
    const news = newsOf(place)
    return { place, news, weight, means: logMeans(news, weight) }
  })
}

function stepOf(sources: readonly Source[]): number {
  return sources.reduce(
    (sum, { news, weight, means }) => sum + weight * moveOf(news) - means.shock - means.jumps,
    0,
  )
}

type AssetPath = { levels: Float64Array; deviations: Float64Array }

/** Log prices and standard deviations, by hour of a segment. */
function pathOf({
  sources,
  level,
  lift,
}: {
  sources: readonly Source[]
  level: number
  lift: number
}): AssetPath {
  const levels = new Float64Array(SEGMENT_HOURS + 1)
  const variances = new Float64Array(SEGMENT_HOURS + 1)
  for (let hour = 0; hour <= SEGMENT_HOURS; hour += 1)
    levels[hour] = level + (lift * hour) / SEGMENT_HOURS
  for (const { place, news, weight, means } of sources) {
    const { moves, passed, deviations } = spreadNews(place, news)
    for (let hour = 1; hour <= SEGMENT_HOURS; hour += 1) {
      const fallen = means.shock * (passed[hour] ?? 0) + (means.jumps * hour) / SEGMENT_HOURS
      levels[hour] = (levels[hour] ?? 0) + weight * (moves[hour] ?? 0) - fallen
      variances[hour] = (variances[hour] ?? 0) + (weight * (deviations[hour] ?? 0)) ** 2
    }
  }
  return { levels, deviations: variances.map(Math.sqrt) }
}

type Hour = {
  series: CandleSeries
  path: AssetPath
  asset: SimulatedAsset
  hour: number
  within: number
  stream: number
}

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
  const above =
    (Math.sqrt(move * move - 2 * variance * Math.log(((bits & 0xffff) + 1) / 0x10000)) - move) / 2
  const below =
    (Math.sqrt(move * move - 2 * variance * Math.log(((bits >>> 16) + 1) / 0x10000)) - move) / 2
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
