import { HOUR_MS } from '#core/market/candle.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { exposureChanges } from '#core/strategy/exposure-changes.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { FIRST_PAIRS } from '#core/bots/first-bot.ts'

/**
 * Market hours in a new user's first minute, at the simulated market's speed of one hour a second.
 */
const FIRST_HOURS = 60
const WARM_UP_HOURS = 17_520
const STARTS_A_SEED = 300
const STEP_HOURS = 24
const SEEDS = [1, 2, 3, 4, 5]
const BASKETS: { name: string; pairs: readonly Pair[] }[] = [
  { name: 'BTC only', pairs: ['BTC/USDT'] },
  { name: 'BTC and ETH', pairs: ['BTC/USDT', 'ETH/USDT'] },
  { name: 'the five suggested', pairs: FIRST_PAIRS },
  { name: 'all 12 pairs', pairs: PAIRS },
]

/**
 * The share of new bots that trade within the first minute, over many starts and seeds, as the
 * lines of the table in docs/strategies.md.
 */
export function firstTradeTable(): string[] {
  const rows = BASKETS.map(({ name, pairs }) => [
    name,
    ...RISK_LEVELS.map((riskLevel) => `${Math.round(shareOf(riskLevel, pairs) * 100)} %`),
  ])
  return [
    `| pairs | ${RISK_LEVELS.join(' | ')} |`,
    '|---|--:|--:|--:|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ]
}

function shareOf(riskLevel: RiskLevel, pairs: readonly Pair[]): number {
  let trading = 0
  for (const seed of SEEDS) {
    const tradesAt = pairs.map((pair) => firstMinutes({ seed, riskLevel, pair }))
    for (let start = 0; start < STARTS_A_SEED; start += 1)
      if (tradesAt.some((trades) => trades[start])) trading += 1
  }
  return trading / (SEEDS.length * STARTS_A_SEED)
}

/**
 * For each start: whether a bot on `pair` enters at once or the exposure changes within the first
 * minute.
 */
function firstMinutes({
  seed,
  riskLevel,
  pair,
}: {
  seed: number
  riskLevel: RiskLevel
  pair: Pair
}): boolean[] {
  const count = WARM_UP_HOURS + STARTS_A_SEED * STEP_HOURS + FIRST_HOURS
  const series = simulatedCandles({ seed, pair, fromMs: 490_000 * HOUR_MS, count })
  const changes = exposureChanges({
    strategy: `trend-${riskLevel}`,
    costs: VENUE_COSTS.binance,
    series,
    fromCount: 0,
    toCount: count,
  })
  return Array.from({ length: STARTS_A_SEED }, (_, start) => {
    const from = WARM_UP_HOURS + start * STEP_HOURS
    const before = changes.findLast(({ closedCount }) => closedCount <= from)
    return (
      (before?.exposureBps ?? 0) > 0 ||
      changes.some(({ closedCount }) => closedCount > from && closedCount <= from + FIRST_HOURS)
    )
  })
}

if (import.meta.main) console.log(firstTradeTable().join('\n'))
