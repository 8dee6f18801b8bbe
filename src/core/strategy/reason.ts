import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { flooredUnits } from '#core/money/signal.ts'
import { sentence, type Sentence } from '#core/sentences.ts'
import { CANDLES_A_DAY } from './preset.ts'

/** The cause of a decision; its sentence is composed when it is read. */
export type Cause = TrendCause | FixedCause

/** The cause for bots whose exposure does not depend on prices. */
export type FixedCause = { kind: 'hold' | 'balanced'; exposureBps: number }

export type TrendCause = {
  kind: 'trend'
  exposureBps: number
  /** Direction of the slowest trend that turned at this candle. */
  turn: 'up' | 'down' | 'none'
  /** Length of that trend, in candles. */
  lookback: number
  /** The prior high or trend stop that the close crossed, a signal. */
  level: number
  trendsUp: number
  trends: number
  /** Number of candles until the shortest trend can be judged. */
  candlesMissing: number
}

/** The reason of a decision, below 160 characters in English. */
export function explain(cause: Cause): Sentence {
  if (cause.kind !== 'trend')
    return cause.kind === 'hold'
      ? sentence('boughtToKeep')
      : sentence('keepsPart', { percent: percent(cause.exposureBps / 100) })
  if (cause.candlesMissing > 0) return sentence('historyMissing', { hours: cause.candlesMissing })
  const { trendsUp, trends: all } = cause
  const trends = sentence(trendsUp === 1 ? 'trendUp' : 'trendsUp', { up: trendsUp, all })
  if (trendsUp === 0 && cause.turn === 'none') return sentence('noTrendUp')
  const close = turnText(cause)
  if (trendsUp === 0) return sentence('lastTrendEnded', { close })
  const decided = { close, trends, percent: percent(cause.exposureBps / 100) }
  return sentence(cause.turn === 'none' ? 'decidedByVolatility' : 'decided', decided)
}

/**
 * The reason of a trade by a pool or sleeve. `fromBps`: its applied exposure before; after a drift,
 * its actual one.
 */
export function explainTrade(cause: Cause, fromBps: number): Sentence {
  if (cause.kind !== 'balanced' || fromBps === 0) return explain(cause)
  return sentence('backToPart', {
    from: percent(fromBps / 100),
    percent: percent(cause.exposureBps / 100),
  })
}

function turnText({ turn, lookback, level }: TrendCause): Sentence {
  if (turn === 'none') return sentence('noTurn')
  return sentence(turn === 'up' ? 'aboveHigh' : 'belowStop', {
    days: Math.round(lookback / CANDLES_A_DAY),
    level: `$${priceText(flooredUnits(level))}`,
  })
}

function percent(figure: number): string {
  return `${Math.round(figure)}%`
}

/**
 * A price with as many decimals as its size needs: 61,240.00 · 142.35 · 1.0832 · 0.5123 ·
 * 0.00001234.
 */
export function priceText(price: Units): string {
  const [whole = '', fraction = ''] = unitsToDecimal(price, placesOf(price)).split('.')
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`
}

function placesOf(price: Units): number {
  if (price >= 10_000_000_000n) return 2
  return price >= 1_000_000n ? 4 : 8
}
