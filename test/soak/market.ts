import { sentence } from '#core/sentences.ts'
import { assert, required } from '#core/assert.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import {
  appendCandle,
  candleAt,
  countBefore,
  createSeries,
  historyStart,
  type CandleSeries,
} from '#core/market/candle-series.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { priceWithin } from '#core/market/price-within.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { Units } from '#core/money/amount.ts'
import {
  advance,
  candleSignalAt,
  startStrategy,
  type StrategyState,
} from '#core/strategy/strategy.ts'
import { STRATEGY_KEYS, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { candlesBetween } from '#server/market/candle-cache.ts'
import type { Feed } from '#server/ports/feed.ts'
import { randomFrom } from '../world/random.ts'

/** Every year begins on this day, so that its seed alone determines it. */
export const BEGIN_MS = Date.UTC(2025, 2, 1)

/** One candle in this many is missing on a pair, as if the exchange had been down. */
const HOLE_ONE_IN = 600

/** The candles of a year and of the history before it, with holes, determined by `seed`. */
export function soakFeed({ seed, days }: { seed: number; days: number }): Feed {
  const fromMs = historyStart(BEGIN_MS)
  const count = (BEGIN_MS - fromMs) / HOUR_MS + (days + 2) * 24
  const random = randomFrom(seed ^ 0x51ed)
  const made = new Map(
    PAIRS.map((pair) => [
      pair,
      withHoles(
        simulatedCandles({ seed, pair, fromMs, count }),
        () => random.below(HOLE_ONE_IN) === 0,
      ),
    ]),
  )
  return {
    kind: 'simulated',
    label: sentence('simulatedMarket'),
    identity: `simulated:soak-${seed}`,
    venue: 'binance',
    pairs: PAIRS,
    defaultSpeed: 3_600,
    beginMs: () => BEGIN_MS,
    endMs: undefined,
    candles: ({ pair, ...range }) => candlesBetween(required(made.get(pair), pair), range),
  }
}

function withHoles(series: CandleSeries, isHole: () => boolean): CandleSeries {
  const kept = createSeries(series.length)
  for (let index = 0; index < series.length; index += 1)
    if (!isHole()) appendCandle(kept, candleAt(series, index))
  return kept
}

/**
 * The market as the model sees it: prices and exposures, computed from the candles by core's rules
 * alone.
 */
export type ModelMarket = {
  /** Undefined in a hole. */
  price: (pair: Pair, atMs: number) => Units | undefined
  /** The close of the candle that ends at a whole hour; undefined in a hole. */
  close: (pair: Pair, hourMs: number) => Units | undefined
  /** Target exposure after the last closed hour, in basis points. */
  exposureBps: (pair: Pair, strategy: StrategyKey, atMs: number) => number
}

type Folded = { fromMs: number; seen: number; states: Map<StrategyKey, StrategyState> }

export function openModelMarket(feed: Feed, costs: TradingCosts): ModelMarket {
  const all = new Map(
    feed.pairs.map((pair) => [
      pair,
      feed.candles({ pair, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }),
    ]),
  )
  const folded = new Map<Pair, Folded>()
  const seriesOf = (pair: Pair) => required(all.get(pair), pair)
  const statesAt = (pair: Pair, hourMs: number): Folded => {
    const series = seriesOf(pair)
    const fromMs = historyStart(hourMs)
    const closed = countBefore(series, hourMs)
    const known = folded.get(pair)
    const goesOn = known !== undefined && known.fromMs === fromMs && known.seen <= closed
    const current = goesOn
      ? known
      : {
          fromMs,
          seen: countBefore(series, fromMs),
          states: new Map(STRATEGY_KEYS.map((key) => [key, startStrategy(key, costs)])),
        }
    for (; current.seen < closed; current.seen += 1)
      for (const state of current.states.values())
        advance(state, candleSignalAt(series, current.seen))
    folded.set(pair, current)
    return current
  }
  return {
    price: (pair, atMs) => {
      const hourMs = floorHour(atMs)
      const series = seriesOf(pair)
      const index = countBefore(series, hourMs)
      if (index >= series.length || series.openTimesMs[index] !== hourMs) return undefined
      return priceWithin({
        candle: candleAt(series, index),
        thousandths: Math.floor(((atMs - hourMs) * 1_000) / HOUR_MS),
      })
    },
    close: (pair, hourMs) => {
      const series = seriesOf(pair)
      const closed = countBefore(series, hourMs)
      return series.openTimesMs[closed - 1] === hourMs - HOUR_MS
        ? candleAt(series, closed - 1).close
        : undefined
    },
    exposureBps: (pair, strategy, atMs) => {
      const state = statesAt(pair, floorHour(atMs)).states.get(strategy)
      assert(state, 'each strategy has a state')
      return state.exposureBps
    },
  }
}
