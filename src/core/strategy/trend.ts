import { maximumOf, pushValue, rollingMaximum, type RollingMaximum } from './rolling-maximum.ts'
import { pushClose, volatilityOf, yearlyVolatility, type Volatility } from './volatility.ts'
import type { Preset } from './preset.ts'
import type { TrendCause } from './reason.ts'

/** Prices of a closed candle as signals: see `CandleSeries`. */
export type CandleSignal = { high: number; low: number; close: number }

/** Settings that determine trends, not the exposure. */
type TrendSettings = Pick<Preset, 'lookbacks' | 'volatilityHalfLife' | 'stop'>

/** Changed only by `readCandle`. Risk levels with the same lookbacks share them. */
export type MarketTrends = {
  readonly settings: TrendSettings
  readonly highs: RollingMaximum
  /** Rolling maximum of the negated lows. */
  readonly lows: RollingMaximum
  readonly volatility: Volatility
  /** For each lookback: 1 while its trend is up, otherwise 0. */
  readonly up: Uint8Array
  /** For each lookback that is up: the price below which the trend ends. It only rises. */
  readonly stops: Float64Array
  trendsUp: number
  /** Index of the slowest trend that turned at the last candle, or -1, and the level it crossed. */
  turned: number
  turnedLevel: number
}

/** `exposureBps`: decided at the last candle; a multiple of 100. */
export type TrendStrategyState = {
  readonly kind: 'trend'
  readonly preset: Preset
  readonly trends: MarketTrends
  exposureBps: number
}

/**
 * The strategy of bots that follow trends, at every risk level: long-only trend following with a
 * volatility target. Trends: an ensemble of Donchian channels. A trend is up from a close above the
 * channel's prior high until a close below its trailing stop: the prior channel's midline, which
 * only rises (Zarattini, Pagani and Barbon, "Catching Crypto Trends", 2025). Size: the fraction of
 * trends that are up × min(1, target / realized volatility) (Moskowitz, Ooi and Pedersen, "Time
 * Series Momentum", 2012), in whole percent, with a band within which changes do not trade. No
 * leverage, no shorting.
 */
export function startTrend(
  preset: Preset,
  trends: MarketTrends = startTrends(preset),
): TrendStrategyState {
  return { kind: 'trend', preset, trends, exposureBps: 0 }
}

export function startTrends(settings: TrendSettings): MarketTrends {
  const { lookbacks, volatilityHalfLife } = settings
  return {
    settings,
    highs: rollingMaximum(lookbacks),
    lows: rollingMaximum(lookbacks),
    volatility: volatilityOf(volatilityHalfLife),
    up: new Uint8Array(lookbacks.length),
    stops: new Float64Array(lookbacks.length),
    trendsUp: 0,
    turned: -1,
    turnedLevel: 0,
  }
}

export function hasSettings(
  { settings }: MarketTrends,
  { lookbacks, volatilityHalfLife, stop }: TrendSettings,
): boolean {
  return (
    settings.stop === stop &&
    settings.volatilityHalfLife === volatilityHalfLife &&
    settings.lookbacks.join() === lookbacks.join()
  )
}

export function readCandle(trends: MarketTrends, { high, low, close }: CandleSignal): void {
  turnTrends(trends, close)
  pushValue(trends.highs, high)
  pushValue(trends.lows, -low)
  pushClose(trends.volatility, close)
}

/** Callers must call `readCandle` first. */
export function decideTrend(state: TrendStrategyState): void {
  state.exposureBps = exposureAfter(state, state.trends)
}

/** The exposure after a candle that closes at `close`. Changes nothing. */
export function exposureAt(state: TrendStrategyState, close: number): number {
  const { trends } = state
  const volatility = { ...trends.volatility }
  pushClose(volatility, close)
  return exposureAfter(state, { trendsUp: trendsUpAt(trends, close), volatility })
}

function exposureAfter(
  { preset, exposureBps }: TrendStrategyState,
  after: Pick<MarketTrends, 'trendsUp' | 'volatility'>,
): number {
  const targetBps = targetExposureBps(preset, after)
  const change = Math.abs(targetBps - exposureBps)
  return targetBps === 0 || change >= preset.bandBps ? targetBps : exposureBps
}

function trendsUpAt(trends: MarketTrends, close: number): number {
  return trends.settings.lookbacks.filter((_, which) => isUpAt(trends, which, close)).length
}

export function causeOfTrend({ exposureBps, trends }: TrendStrategyState): TrendCause {
  const {
    settings: { lookbacks },
    turned,
    up,
    turnedLevel,
    trendsUp,
    highs,
  } = trends
  const goesUp = up[turned] === 1
  return {
    kind: 'trend',
    exposureBps,
    turn: turned < 0 ? 'none' : goesUp ? 'up' : 'down',
    lookback: lookbacks[turned] ?? 0,
    level: turnedLevel,
    trendsUp,
    trends: lookbacks.length,
    candlesMissing: Math.max(0, (lookbacks[0] ?? 0) + 1 - highs.count),
  }
}

/**
 * Compares the close with the channels of the preceding candles. A trend is never up before its
 * whole lookback has passed.
 */
function turnTrends(trends: MarketTrends, close: number): void {
  const { up, highs } = trends
  const { lookbacks, count } = highs
  trends.turned = -1
  for (let which = 0; which < up.length; which += 1) {
    if (count < (lookbacks[which] ?? 0)) return
    if (up[which] === 1) endTrend(trends, which, close)
    else if (close > maximumOf(highs, which)) beginTrend(trends, which)
  }
}

/**
 * The level at which the trend turns: if up, the stop below which it ends; otherwise, the high
 * above which it begins. Undefined before its whole lookback has passed.
 */
export function levelOf(trends: MarketTrends, which: number): number | undefined {
  const { up, stops, highs } = trends
  if (highs.count < (highs.lookbacks[which] ?? 0)) return undefined
  if (up[which] === 1) return Math.max(stops[which] ?? 0, stopLevel(trends, which))
  return maximumOf(highs, which)
}

function isUpAt(trends: MarketTrends, which: number, close: number): boolean {
  const level = levelOf(trends, which)
  if (level === undefined) return false
  return trends.up[which] === 1 ? close >= level : close > level
}

function beginTrend(trends: MarketTrends, which: number): void {
  trends.up[which] = 1
  trends.stops[which] = stopLevel(trends, which)
  trends.trendsUp += 1
  trends.turned = which
  trends.turnedLevel = maximumOf(trends.highs, which)
}

/** The stop is raised before the close is compared with it. */
function endTrend(trends: MarketTrends, which: number, close: number): void {
  const { up, stops } = trends
  const stop = Math.max(stops[which] ?? 0, stopLevel(trends, which))
  stops[which] = stop
  if (close >= stop) return
  up[which] = 0
  trends.trendsUp -= 1
  trends.turned = which
  trends.turnedLevel = stop
}

function stopLevel({ settings, highs, lows }: MarketTrends, which: number): number {
  const lower = -maximumOf(lows, which)
  return settings.stop === 'low' ? lower : (maximumOf(highs, which) + lower) / 2
}

/** In a market that never moved there is no volatility to scale by: the exposure is full. */
function targetExposureBps(
  preset: Preset,
  { trendsUp, volatility }: Pick<MarketTrends, 'trendsUp' | 'volatility'>,
): number {
  if (trendsUp === 0) return 0
  const measured = yearlyVolatility(volatility)
  const scale = measured > preset.targetVolatility ? preset.targetVolatility / measured : 1
  return Math.round((100 * trendsUp * scale) / preset.lookbacks.length) * 100
}
