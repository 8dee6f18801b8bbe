/**
 * The decisions of docs/strategies.md ("Exactly"), written from that page alone: nothing here comes
 * from the product. Plain and slow where the product is fast, so that both do not share an error.
 */

/** A candle; prices in units of 10⁻⁸ as whole numbers. */
export type Bar = { high: number; low: number; close: number }

export type Level = { target: number; band: number }

/** Target volatility a year, and the band in percent. */
export const LEVELS = {
  conservative: { target: 0.15, band: 3 },
  moderate: { target: 0.35, band: 7 },
  aggressive: { target: 0.8, band: 12 },
} as const satisfies Record<string, Level>

export const FAST = [10, 20, 40, 80].map((days) => days * 24)
export const SLOW = FAST.map((candles) => candles * 2)

/** How many trends are up after each candle. */
export function trendsUp(bars: readonly Bar[], lookbacks: readonly number[]): Uint8Array {
  const up = new Uint8Array(bars.length)
  for (const lookback of lookbacks)
    for (const [index, isUp] of trend(bars, lookback).entries()) up[index] = (up[index] ?? 0) + isUp
  return up
}

/** 1 after each candle with the trend up. */
function trend(bars: readonly Bar[], lookback: number): Uint8Array {
  const states = new Uint8Array(bars.length)
  const highest = extremes(
    bars.map(({ high }) => high),
    lookback,
  )
  const lowest = extremes(
    bars.map(({ low }) => -low),
    lookback,
  ).map((value) => -value)
  let stop: number | undefined
  for (let index = lookback; index < bars.length; index += 1) {
    const { close = 0 } = bars[index] ?? {}
    const [top = 0, bottom = 0] = [highest[index], lowest[index]]
    const middle = (top + bottom) / 2
    if (stop === undefined) {
      if (close > top) stop = middle
    } else {
      stop = Math.max(stop, middle)
      if (close < stop) stop = undefined
    }
    states[index] = stop === undefined ? 0 : 1
  }
  return states
}

/**
 * The highest of the `lookback` values before each index. All of them are read again once the
 * highest has left the window.
 */
function extremes(values: readonly number[], lookback: number): Float64Array {
  const found = new Float64Array(values.length)
  let best = -1
  for (let index = lookback; index < values.length; index += 1) {
    if (best < index - lookback) best = highestIn(values, index - lookback, index)
    else if ((values[index - 1] ?? 0) > (values[best] ?? 0)) best = index - 1
    found[index] = values[best] ?? 0
  }
  return found
}

function highestIn(values: readonly number[], from: number, to: number): number {
  let best = from
  for (let index = from; index < to; index += 1)
    if ((values[index] ?? 0) > (values[best] ?? 0)) best = index
  return best
}

/** Volatility a year after each candle. */
export function volatilities(bars: readonly Bar[]): Float64Array {
  const keeps = 2 ** (-1 / 480)
  const measured = new Float64Array(bars.length)
  let [sum, weight] = [0, 0]
  for (let index = 1; index < bars.length; index += 1) {
    const moved = Math.log((bars[index]?.close ?? 0) / (bars[index - 1]?.close ?? 0))
    sum = keeps * sum + (1 - keeps) * moved * moved
    weight = keeps * weight + (1 - keeps)
    measured[index] = Math.sqrt((sum / weight) * 8_760)
  }
  return measured
}

/**
 * The wanted exposure in percent from the open of each candle on: entry 0 before any candle, the
 * last after all of them.
 */
export function exposures({
  up,
  measured,
  level: { target, band },
}: {
  up: Uint8Array
  measured: Float64Array
  level: Level
}): Uint8Array {
  const wanted = new Uint8Array(up.length + 1)
  let exposure = 0
  for (let index = 0; index < up.length; index += 1) {
    const [trends = 0, volatility = 0] = [up[index], measured[index]]
    const scale = volatility > target ? target / volatility : 1
    const size = Math.round((100 * trends * scale) / 4)
    if (size === 0 || Math.abs(size - exposure) >= band) exposure = size
    wanted[index + 1] = exposure
  }
  return wanted
}
