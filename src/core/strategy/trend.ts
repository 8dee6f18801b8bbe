import { maximumOf, pushValue, rollingMaximum, type RollingMaximum } from './rolling-maximum.ts'
import { pushClose, volatilityOf, yearlyVolatility, type Volatility } from './volatility.ts'
import type { Preset } from './preset.ts'
import type { TrendCause } from './reason.ts'

/** Prices of a closed candle as signals: see `CandleSeries`. */
export type CandleSignal = { high: number; low: number; close: number }

/**
 * State of a trend strategy after the candles it has seen. Only `advanceTrend` changes it, one closed candle at a time, so no decision can depend on
 * the future.
 */
export type TrendStrategyState = {
  readonly kind: 'trend'
  readonly preset: Preset
  readonly highs: RollingMaximum
  /** Rolling maximum of the negated lows. */
  readonly lows: RollingMaximum
  readonly volatility: Volatility
  /** For each lookback: 1 while its trend is up, otherwise 0. */
  readonly up: Uint8Array
  /** For each lookback: the price below which an up trend ends. It only rises. */
  readonly stops: Float64Array
  trendsUp: number
  /** The decision at the last candle, in basis points and whole percent. */
  exposureBps: number
  /** Index of the slowest trend that turned at the last candle, or -1, and the level it crossed. */
  turned: number
  turnedLevel: number
}

/**
 * The strategy of bots that follow trends, at every risk level: long-only trend following with a volatility target.
 * Trends: an ensemble of Donchian channels, each up from a close above its prior high until a close below its trailing stop, the prior
 * channel's midline, which only rises (Zarattini, Pagani and Barbon, "Catching Crypto Trends", 2025).
 * Size: the fraction of trends that are up × min(1, target / realized volatility) (Moskowitz, Ooi and Pedersen, "Time Series
 * Momentum", 2012), in whole percent, with a band within which changes do not trade. No leverage, no shorting.
 */
export function startTrend(preset: Preset): TrendStrategyState {
  return {
    kind: 'trend',
    preset,
    highs: rollingMaximum(preset.lookbacks),
    lows: rollingMaximum(preset.lookbacks),
    volatility: volatilityOf(preset.volatilityHalfLife),
    up: new Uint8Array(preset.lookbacks.length),
    stops: new Float64Array(preset.lookbacks.length),
    trendsUp: 0,
    exposureBps: 0,
    turned: -1,
    turnedLevel: 0,
  }
}

/** Advances the state by the next closed candle and updates `exposureBps`. */
export function advanceTrend(state: TrendStrategyState, { high, low, close }: CandleSignal): void {
  turnTrends(state, close)
  pushValue(state.highs, high)
  pushValue(state.lows, -low)
  pushClose(state.volatility, close)
  const targetBps = targetExposureBps(state)
  const change = Math.abs(targetBps - state.exposureBps)
  if (targetBps === 0 || change >= state.preset.bandBps) state.exposureBps = targetBps
}

export function causeOfTrend(state: TrendStrategyState): TrendCause {
  const { preset, turned } = state
  const goesUp = state.up[turned] === 1
  return {
    kind: 'trend',
    exposureBps: state.exposureBps,
    close: state.volatility.previousClose,
    turn: turned < 0 ? 'none' : goesUp ? 'up' : 'down',
    lookback: preset.lookbacks[turned] ?? 0,
    level: state.turnedLevel,
    trendsUp: state.trendsUp,
    trends: preset.lookbacks.length,
    volatility: yearlyVolatility(state.volatility),
    candlesMissing: Math.max(0, (preset.lookbacks[0] ?? 0) + 1 - state.highs.count),
  }
}

/** Compares the close with the channels of the preceding candles. A channel that has not seen its whole lookback is not up. */
function turnTrends(state: TrendStrategyState, close: number): void {
  const { up, stops, highs, lows, preset } = state
  state.turned = -1
  for (let which = 0; which < up.length; which += 1) {
    if (highs.count < (highs.lookbacks[which] ?? 0)) return
    const upper = maximumOf(highs, which)
    const lower = -maximumOf(lows, which)
    const level = preset.stop === 'low' ? lower : (upper + lower) / 2
    const isUp = up[which] === 1
    const stop = isUp ? Math.max(stops[which] ?? 0, level) : level
    stops[which] = stop
    const turns = isUp ? close < stop : close > upper
    if (!turns) continue
    up[which] = isUp ? 0 : 1
    state.trendsUp += isUp ? -1 : 1
    state.turned = which
    state.turnedLevel = isUp ? stop : upper
  }
}

/** A market that never moved has no volatility to scale by and is held in full. */
function targetExposureBps({ preset, trendsUp, volatility }: TrendStrategyState): number {
  if (trendsUp === 0) return 0
  const measured = yearlyVolatility(volatility)
  const scale = measured > preset.targetVolatility ? preset.targetVolatility / measured : 1
  return Math.round((100 * trendsUp * scale) / preset.lookbacks.length) * 100
}
