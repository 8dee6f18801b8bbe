import { priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import { uniformFrom } from '#core/market/seeded.ts'
import type { Units } from '#core/money/amount.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import {
  planRedemption,
  planSubscription,
  settleRedemption,
  settleSubscription,
  shareSubscription,
} from '#core/pool/lot.ts'
import { planPool } from '#core/pool/plan.ts'
import { found, join, trade, type Pool } from '#core/pool/pool.ts'
import { windowEnds } from '#core/evidence/window-end.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { exposureChanges, type ExposureChange } from '#core/strategy/signals.ts'
import { DEFAULT_COSTS as costs } from '#core/trading/costs.ts'
import { cashMoved } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { REAL_PAIRS, realCandles } from './real-candles.ts'
import { median, percentile, report } from './report.ts'

/**
 * Whether sharing a pool makes a bot better or worse off: random entries on real candles, once into
 * a pool of a million dollars that has run since the beginning, once alone by the rules of the
 * backtest. Held for a year, or to the end of the data. No platform fee in either.
 */

const ENTRIES = 200
const AMOUNTS = ['1', '100', '10000'].map(decimalToUnits)
const FOUNDED = decimalToUnits('1000000')
const YEAR_HOURS = 365 * 24
/** Number of candles that the longest trend needs before it gives a signal. */
const WARM_UP_HOURS = 5_000
const SEED = 7

/** Final worth pooled ÷ alone, in basis points above 1. */
type Entry = { riskLevel: RiskLevel; bps: number }

export function run(): void {
  const uniform = uniformFrom(SEED)
  const entries = REAL_PAIRS.flatMap((pair) => {
    const series = realCandles(pair)
    return RISK_LEVELS.flatMap((riskLevel) => {
      const changes = exposureChanges({
        strategy: `trend-${riskLevel}`,
        costs,
        series,
        fromCount: 0,
        toCount: series.length,
      })
      const pools = poolsOver({ series, changes })
      return Array.from({ length: ENTRIES }, (_, number): Entry => {
        const entry =
          WARM_UP_HOURS + Math.floor(uniform() * (series.length - WARM_UP_HOURS - 24 * 30))
        const exit = Math.min(series.length - 1, entry + YEAR_HOURS)
        const invested = AMOUNTS[number % AMOUNTS.length] ?? 1n
        const stay = { series, changes, entry, exit, invested }
        const window = {
          fromMs: series.openTimesMs[entry] ?? 0,
          toMs: series.openTimesMs[exit] ?? 0,
        }
        const { once: alone } = windowEnds({
          window,
          markets: [{ pair, series, changes }],
          invested,
          costs,
          feeBps: 0,
        })
        return { riskLevel, bps: 10_000 * (Number(pooledEnd(stay, pools)) / Number(alone) - 1) }
      })
    })
  })
  table(entries)
}

type Past = { series: CandleSeries; changes: readonly ExposureChange[] }

/** The pool of others after each change, as it stands until the next. */
function poolsOver({ series, changes }: Past): Pool[] {
  let pool = found(FOUNDED)
  return changes.map(
    ({ closedCount, exposureBps }) =>
      (pool =
        closedCount < series.length
          ? traded(pool, { exposureBps, price: priceAt(series.open, closedCount) })
          : pool),
  )
}

function traded(pool: Pool, { exposureBps, price }: { exposureBps: number; price: Units }): Pool {
  const order =
    exposureBps === pool.appliedBps ? undefined : planPool(pool, { exposureBps, price, costs })
  if (!order) return { ...pool, appliedBps: exposureBps }
  const fill = paperFill({ ...order, price, costs })
  return trade(pool, {
    side: fill.side,
    share: { quantity: fill.quantity, total: cashMoved(fill), fee: fill.fee },
    exposureBps,
  })
}

type Sleeve = { pool: Pool; cash: Units; units: bigint; offered: Units }

/**
 * Final cash of a newcomer that joins the pool of others at the open of candle `entry` and leaves
 * it at the open of `exit`.
 */
function pooledEnd(
  {
    series,
    changes,
    entry,
    exit,
    invested,
  }: Past & { entry: number; exit: number; invested: Units },
  pools: readonly Pool[],
): Units {
  let next = changes.findIndex(({ closedCount }) => closedCount > entry)
  if (next === -1) next = changes.length
  let sleeve = joined(
    { pool: pools[next - 1] ?? found(FOUNDED), cash: invested, units: 0n, offered: invested },
    priceAt(series.open, entry),
  )
  for (
    let change = changes[next];
    change && change.closedCount < exit;
    change = changes[(next += 1)]
  ) {
    const price = priceAt(series.open, change.closedCount)
    // Cash joins a pool without coins before its strategy buys, one with coins afterwards.
    const early = sleeve.pool.base === 0n ? joined(sleeve, price) : sleeve
    const moved = { ...early, pool: traded(early.pool, { exposureBps: change.exposureBps, price }) }
    sleeve = moved.cash > moved.offered / 1_000n ? joined(moved, price) : moved
  }
  return sleeve.cash + left(sleeve, priceAt(series.open, exit))
}

/** The newcomer's cash joins as a lot of its own. */
function joined(sleeve: Sleeve, price: Units): Sleeve {
  const { pool, cash } = sleeve
  if (cash === 0n) return sleeve
  if (pool.base === 0n) {
    const made = join(pool, { cash, base: 0n })
    return {
      pool: made.pool,
      cash: cash - made.paid.cash,
      units: sleeve.units + made.units,
      offered: cash,
    }
  }
  const quantity = planSubscription({ pool, cash, price, costs })
  if (quantity === 0n) return sleeve
  const fill = paperFill({ side: 'buy', quantity, price, costs })
  const settled = settleSubscription({
    pool,
    offered: cash,
    bought: { quantity, total: cashMoved(fill), fee: fill.fee },
  })
  const [member] = shareSubscription({ ...settled, offered: [cash] })
  return {
    pool: settled.pool,
    cash: cash - (member?.paid ?? 0n),
    units: sleeve.units + (member?.units ?? 0n),
    offered: cash,
  }
}

function left({ pool, units }: Sleeve, price: Units): Units {
  const quantity = planRedemption(pool, units)
  const fill = paperFill({ side: 'sell', quantity, price, costs })
  const sold =
    quantity === 0n
      ? { quantity, total: 0n, fee: 0n }
      : { quantity, total: cashMoved(fill), fee: fill.fee }
  return settleRedemption({ pool, units, sold }).proceeds
}

function table(entries: readonly Entry[]): void {
  console.log(
    '| pooled ÷ alone, bps | n | mean ± 95 % | median | sd | p1 | p5 | p95 | p99 | min | max |',
  )
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|')
  row('all', entries)
  for (const riskLevel of RISK_LEVELS)
    row(
      riskLevel,
      entries.filter((entry) => entry.riskLevel === riskLevel),
    )
  const bps = entries.map((entry) => entry.bps)
  const { mean, margin } = meanOf(bps)
  const [middle, low, high] = [median(bps), percentile(bps, 0.05), percentile(bps, 0.95)]
  report({
    name: 'pooled ÷ alone, median',
    measured: `${middle.toFixed(2)} bps`,
    target: { text: '0 ± 1', met: Math.abs(middle) <= 1 },
  })
  report({
    name: 'pooled ÷ alone, mean',
    measured: `${mean.toFixed(2)} ± ${margin.toFixed(2)} bps`,
    target: { text: 'interval contains 0', met: Math.abs(mean) <= margin },
  })
  report({
    name: 'pooled ÷ alone, p5 to p95',
    measured: `${low.toFixed(1)} to ${high.toFixed(1)} bps`,
    target: { text: 'within ± 15', met: low >= -15 && high <= 15 },
  })
}

function row(name: string, entries: readonly Entry[]): void {
  const bps = entries.map((entry) => entry.bps)
  const { mean, margin, deviation } = meanOf(bps)
  const cells = [
    percentile(bps, 0.01),
    percentile(bps, 0.05),
    percentile(bps, 0.95),
    percentile(bps, 0.99),
    Math.min(...bps),
    Math.max(...bps),
  ]
  const figures = [
    `${mean.toFixed(2)} ± ${margin.toFixed(2)}`,
    median(bps).toFixed(2),
    ...[deviation, ...cells].map((cell) => cell.toFixed(1)),
  ]
  console.log(`| ${[name, bps.length, ...figures].join(' | ')} |`)
}

function meanOf(values: readonly number[]): { mean: number; margin: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1),
  )
  return { mean, deviation, margin: (1.96 * deviation) / Math.sqrt(values.length) }
}
