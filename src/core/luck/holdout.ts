import { required } from '#core/assert.ts'
import type { Pair } from '#core/market/pair.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'

/**
 * The candles on which the presets were chosen, until this day (UTC). None of them is a holdout.
 */
export const CHOSEN_ON: { pairs: readonly Pair[]; until: string } = {
  pairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT', 'BNB/USDT'],
  until: '2025-09-20',
}

/** Figures as rounded by the source. `sharpe`: with cash at 0; null if the source states none. */
type Figures = { percent: string; sharpe: string | null; fall: string }

/** `costsBps`: fee, half spread and slippage of one side together. */
type HoldoutRow = { costsBps: number; levels: Record<RiskLevel, Figures> }

/**
 * Results on candles that no setting was chosen on. Good or bad, they are never removed. The
 * figures are from `source`, whose candles are not shipped; for 'pairs', after today's fee on
 * profit.
 */
export type HoldoutResult = {
  /** 'pairs': other pairs in the years of the choice. 'after': the months since that choice. */
  kind: 'pairs' | 'after'
  from: string
  to: string
  /** Pairs with candles for the whole time. */
  pairs: number
  /** `percent`: yearly gain for 'pairs', total gain for 'after'. */
  at: readonly HoldoutRow[]
  /**
   * Holding the same pairs in equal parts. Trading costs are left out: they would change the gain
   * by only 0.1 points a year.
   */
  held: Figures
  /** Percentage of windows that reached the target; null if no window fits. */
  reached: { costsBps: number; levels: Record<RiskLevel, string> } | null
  source: string
}

const SOURCE = 'independent audit, hourly Binance candles, all trading costs and the platform fee'

export const HOLDOUT: readonly HoldoutResult[] = [
  {
    kind: 'pairs',
    from: '2021-09-20',
    to: '2025-09-20',
    pairs: 7,
    at: [
      {
        costsBps: 17,
        levels: {
          conservative: { percent: '1.7', sharpe: '0.38', fall: '7.4' },
          moderate: { percent: '4.1', sharpe: '0.43', fall: '16.4' },
          aggressive: { percent: '5.7', sharpe: '0.36', fall: '34.1' },
        },
      },
      {
        costsBps: 47,
        levels: {
          conservative: { percent: '1.0', sharpe: null, fall: '8.7' },
          moderate: { percent: '2.5', sharpe: null, fall: '19.0' },
          aggressive: { percent: '2.3', sharpe: null, fall: '38.5' },
        },
      },
    ],
    held: { percent: '-18.6', sharpe: '0.14', fall: '84.9' },
    reached: { costsBps: 17, levels: { conservative: '2.3', moderate: '3.8', aggressive: '4.2' } },
    source: SOURCE,
  },
  {
    kind: 'after',
    from: '2025-09-20',
    to: '2026-05-15',
    pairs: 9,
    at: [
      {
        costsBps: 17,
        levels: {
          conservative: { percent: '-4.7', sharpe: '-3.1', fall: '5' },
          moderate: { percent: '-10.7', sharpe: '-3.1', fall: '11' },
          aggressive: { percent: '-19.4', sharpe: '-3.5', fall: '20' },
        },
      },
    ],
    held: { percent: '-56', sharpe: '-1.6', fall: '64' },
    reached: null,
    source: SOURCE,
  },
]

/** The row with the closest costs; of two equally close rows, the one with higher costs. */
export function rowAtCosts({ at }: HoldoutResult, costsBps: number): HoldoutRow {
  const distance = (row: HoldoutRow): number => Math.abs(row.costsBps - costsBps)
  return required(
    at.toSorted((a, b) => distance(a) - distance(b) || b.costsBps - a.costsBps)[0],
    'a row of the holdout',
  )
}

/**
 * Deepest falls of a single pair in the same audit, in percent, over the years on which the presets
 * were chosen. Not a holdout, because the audit searched for the deepest.
 */
export const LARGEST_FALLS: {
  pair: Pair
  from: string
  to: string
  costsBps: number
  levels: Record<RiskLevel, string>
  source: string
} = {
  pair: 'LTC/USDT',
  from: '2021-09-20',
  to: '2025-09-20',
  costsBps: 17,
  levels: { conservative: '24', moderate: '48', aggressive: '76' },
  source: SOURCE,
}
