import type { Pair } from '#core/market/pair.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'

/** The candles on which the presets were chosen: these pairs until this day (UTC). Their last part was used too, so no part of them is a holdout. */
export const CHOSEN_ON: { pairs: readonly Pair[]; until: string } = { pairs: ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'XRP/USDT', 'BNB/USDT'], until: '2025-09-20' }

type Figures = { percent: string; sharpe: string; fall: string }

/**
 * Results on candles that no setting was chosen on. They are never removed, whatever they show. The candles do not ship with the product:
 * the figures are those of `source`.
 */
export type HoldoutResult = {
  /** 'pairs': pairs at whose candles nobody had looked, in years that were looked at. 'after': the time since. */
  kind: 'pairs' | 'after'
  from: string
  to: string
  /** Number of pairs with candles for the whole time. */
  pairs: number
  /** `percent`: gain a year for 'pairs', over the whole time for 'after', where eight months are no year. */
  levels: Record<RiskLevel, Figures>
  /** The same pairs held in equal parts: the audit's benchmark, which is no bot of ours. Null where the audit has none. */
  held: Figures | null
  source: string
}

const SOURCE = 'independent audit, hourly Binance candles, all trading costs (0.17 % a side) and the platform fee'

export const HOLDOUT: readonly HoldoutResult[] = [
  {
    kind: 'pairs',
    from: '2021-09-20',
    to: '2025-09-20',
    pairs: 7,
    levels: {
      conservative: { percent: '1.8', sharpe: '0.37', fall: '7.6' },
      moderate: { percent: '4.4', sharpe: '0.42', fall: '16.8' },
      aggressive: { percent: '6.3', sharpe: '0.37', fall: '34.8' },
    },
    held: null,
    source: SOURCE,
  },
  {
    kind: 'after',
    from: '2025-09-20',
    to: '2026-05-15',
    pairs: 9,
    levels: {
      conservative: { percent: '-4.7', sharpe: '-3.1', fall: '5' },
      moderate: { percent: '-10.7', sharpe: '-3.1', fall: '11' },
      aggressive: { percent: '-19.4', sharpe: '-3.5', fall: '20' },
    },
    held: { percent: '-56', sharpe: '-1.6', fall: '64' },
    source: SOURCE,
  },
]

/**
 * The deepest falls of a single pair that the same audit found, percent: among all pairs of the product over the years of the presets'
 * choice. Not of the holdout, because they were searched for.
 */
export const LARGEST_FALLS: { pair: Pair; from: string; to: string; levels: Record<RiskLevel, string>; source: string } = {
  pair: 'LTC/USDT',
  from: '2021-09-20',
  to: '2025-09-20',
  levels: { conservative: '24', moderate: '48', aggressive: '76' },
  source: SOURCE,
}
