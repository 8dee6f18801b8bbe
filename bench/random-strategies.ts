import { luckOf, type LuckFigures, type TrialRecord } from '#core/luck/luck.ts'
import { overfittingOf } from './overfitting.ts'
import { momentsOf } from '#core/luck/returns.ts'
import { spreadOf, yearlySharpe } from '#core/luck/sharpe.ts'
import { countBefore } from '#core/market/candle-series.ts'
import { uniformFrom } from '#core/market/seeded.ts'
import type { BacktestMarket } from '#core/strategy/backtest.ts'
import type { Cause } from '#core/strategy/reason.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { exposureChanges, type ExposureChange } from '#core/strategy/exposure-changes.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { FULL_EXPOSURE_BPS } from '#core/trading/rebalance.ts'
import { billsRate, FROM_MS, returnsOfMarkets, TO_MS, type Candles } from './trial-family.ts'

/** The trial record of a strategy that was not chosen among others. */
export const ALONE: TrialRecord = { trials: 1, variance: 0, overfitting: undefined }

/**
 * Minimum shift between the days of the exposures and the days traded: 160 days, twice the longest
 * trend. With a smaller shift, exposures would depend on the prices they trade at.
 */
const APART_HOURS = 160 * 24

/**
 * Daily returns of strategies without skill, each determined by its seed: a preset's exposures on
 * each pair, moved in time by a random number of hours and continued from the start of the period
 * after its end. Turnover, holding times and mean exposure are the preset's; the trading times are
 * random.
 */
export function randomStrategies(
  candles: Candles,
  riskLevel: RiskLevel,
): (seed: number) => number[] {
  const decided = candles.map(({ pair, series }) => {
    const [from, to] = [countBefore(series, FROM_MS), countBefore(series, TO_MS)]
    return {
      pair,
      series,
      from,
      exposures: hourly(
        exposureChanges({
          strategy: `trend-${riskLevel}`,
          costs: VENUE_COSTS.binance,
          series,
          fromCount: from,
          toCount: to,
        }),
        { from, to },
      ),
    }
  })
  return (seed) => {
    const uniform = uniformFrom(seed)
    return returnsOfMarkets(
      decided.map(({ pair, series, from, exposures }): BacktestMarket => {
        const shift = APART_HOURS + Math.floor(uniform() * (exposures.length - 2 * APART_HOURS))
        return { pair, series, changes: changesAfter({ exposures, shift, from }) }
      }),
    )
  }
}

/** A cause without text, because the reasons are not shown here. */
function unread(exposureBps: number): Cause {
  return { kind: 'hold', exposureBps }
}

/** Daily returns of holding the same coins. */
export function heldReturns(candles: Candles): number[] {
  const all: ExposureChange = {
    closedCount: 0,
    exposureBps: FULL_EXPOSURE_BPS,
    cause: unread(FULL_EXPOSURE_BPS),
  }
  return returnsOfMarkets(candles.map(({ pair, series }) => ({ pair, series, changes: [all] })))
}

/** The label above Treasury bills, as on the page `/evidence`. */
export function labelOf(
  returns: readonly number[],
  held: readonly number[],
  trials: TrialRecord,
): LuckFigures {
  return luckOf({ returns, held, trials, cashRate: billsRate(), feeBps: PERFORMANCE_FEE_BPS })
}

/** The label of the best of several strategies, all of which count as trials. */
export function labelOfBest(
  all: readonly (readonly number[])[],
  held: readonly number[],
): LuckFigures {
  const sharpes = all.map((returns) => yearlySharpe(momentsOf(returns)))
  const best = all[sharpes.indexOf(Math.max(...sharpes))] ?? []
  return labelOf(best, held, {
    ...spreadOf(sharpes),
    overfitting: overfittingOf(all, 10).probability,
  })
}

function hourly(
  changes: readonly ExposureChange[],
  { from, to }: { from: number; to: number },
): Uint16Array {
  const exposures = new Uint16Array(to - from)
  for (const { closedCount, exposureBps } of changes)
    exposures.fill(exposureBps, closedCount - from)
  return exposures
}

function changesAfter({
  exposures,
  shift,
  from,
}: {
  exposures: Uint16Array
  shift: number
  from: number
}): ExposureChange[] {
  const changes: ExposureChange[] = []
  let before = -1
  for (let index = 0; index < exposures.length; index += 1) {
    const exposureBps = exposures[(index + shift) % exposures.length] ?? 0
    if (exposureBps !== before)
      changes.push({ closedCount: from + index, exposureBps, cause: unread(exposureBps) })
    before = exposureBps
  }
  return changes
}
