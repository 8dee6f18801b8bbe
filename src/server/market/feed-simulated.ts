import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import type { Feed } from './feed.ts'

/**
 * A market hour each second: channels break every few days, so that a newcomer sees a bot trade within a minute
 * (`docs/strategies.md` has the measured share).
 */
const DEFAULT_SPEED = 3_600

export function simulatedFeed({ seed }: { seed: number }): Feed {
  return {
    kind: 'simulated',
    label: 'Simulated market',
    identity: `simulated:${seed}`,
    pairs: PAIRS,
    defaultSpeed: DEFAULT_SPEED,
    beginMs: (nowMs) => Math.floor(nowMs / HOUR_MS) * HOUR_MS,
    endMs: undefined,
    candles: ({ pair, fromMs, toMs }) => simulatedCandles({ seed, pair, fromMs, count: Math.max(0, Math.ceil((toMs - fromMs) / HOUR_MS)) }),
  }
}
