import type { EvidenceFigures, GuardFigures } from '#contract/evidence.ts'
import { required } from '#core/assert.ts'
import { DAY_MS } from '#core/market/candle.ts'

/**
 * Laws between the figures of the evidence page, for any candles and costs, derived from the texts
 * beside the figures.
 */

type Row = EvidenceFigures['buyAndHold'] & { name: string }
type Level = EvidenceFigures['levels'][number]
type Guarded = GuardFigures['strategies'][number]['rows'][number]

const n = Number
const rising = (figures: readonly number[]): boolean =>
  figures.every((figure, index) => index === 0 || figure >= (figures[index - 1] ?? 0))
const isShare = (percent: string): boolean => n(percent) >= 0 && n(percent) <= 100
/** The share that a count is of the whole, in hundredths of a percent, rounded up or down. */
const share = (count: number, whole: number, round: (figure: number) => number): number =>
  round((count * 10_000) / whole) / 100
const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS
const isMost = (count: number, whole: number): boolean => count * 2 > whole

/** Laws for the rows of each kind, of each level, and of holding. */
export const ROW_LAWS: Record<string, (row: Row, figures: EvidenceFigures) => boolean> = {
  'worst, lower tenth, median, upper tenth and best are in order': ({
    worst,
    lower,
    median,
    upper,
    best,
  }) => rising([worst, lower, median, upper, best].map(({ percent }) => n(percent))),
  'no window lost more than the largest drop': ({ worst, deepestFall }) =>
    -n(worst.percent) <= n(deepestFall),
  'no window in monthly parts lost more than the largest drop': ({ monthly, deepestFall }) =>
    -n(monthly.worst.percent) <= n(deepestFall),
  'nobody loses more than everything': ({ worst, monthly, deepestFall }) =>
    n(worst.percent) >= -100 && n(monthly.worst.percent) >= -100 && isShare(deepestFall),
  'the worst window lost if some window did': ({ worst, losing }) =>
    losing > 0 === n(worst.percent) < 0,
  'the median lost if half of the windows did': ({ median, losing }, { windows }) =>
    n(median.percent) < 0 === losing >= Math.floor((windows - 1) / 2) + 1,
  'the lower tenth lost if a tenth of the windows did': ({ lower, losing }, { windows }) =>
    n(lower.percent) < 0 === losing >= Math.floor((windows - 1) / 10) + 1,
  'the share that lost is the number that lost, rounded up': (
    { losing, losingPercent },
    { windows },
  ) => n(losingPercent) === share(losing, windows, Math.ceil),
  'every window named is one of the period': (
    { worst, lower, median, upper, best, monthly },
    { from, to, windowDays },
  ) =>
    [worst, lower, median, upper, best, monthly.worst, monthly.median].every(
      (one) => one.from >= from && one.to <= to && daysBetween(one.from, one.to) === windowDays,
    ),
  'monthly parts: the worst is not above the median, and lost if some window did': ({
    monthly: { worst, median, losingPercent },
  }) =>
    n(worst.percent) <= n(median.percent) &&
    isShare(losingPercent) &&
    n(losingPercent) > 0 === n(worst.percent) < 0,
  'monthly parts: the share is the number, rounded down': (
    { monthly: { onceHigher, onceHigherPercent } },
    { windows },
  ) => n(onceHigherPercent) === share(onceHigher, windows, Math.floor),
  'windows compared with cash are windows, and a share beat it': ({ beatsCash }, { windows }) =>
    beatsCash === null || (isShare(beatsCash.percent) && beatsCash.windows <= windows),
}

export const LEVEL_LAWS: Record<string, (level: Level, figures: EvidenceFigures) => boolean> = {
  'lost, gained less than the target and reached it are 100 % together': (
    { losing, losingPercent, reached, reachedPercent },
    { windows },
  ) => losing + reached <= windows && n(losingPercent) + n(reachedPercent) <= 100.0001,
  'the share that reached the target is the number, rounded down': (
    { reached, reachedPercent },
    { windows },
  ) => n(reachedPercent) === share(reached, windows, Math.floor),
  'the target was reached if the best window reached it': ({ reached, best, target }) =>
    reached > 0 === n(best.percent) >= target.from,
  'the median reached it if half of the windows did': ({ reached, median, target }, { windows }) =>
    n(median.percent) >= target.from === reached >= windows - Math.floor((windows - 1) / 2),
  'bars of the timeline lie between the worst and the best window': (
    { riskLevel, worst, best },
    { timeline, windows },
  ) =>
    timeline[riskLevel].length === Math.ceil(windows / timeline.stepDays) &&
    timeline[riskLevel].every(
      (percent) => n(percent) >= n(worst.percent) && n(percent) <= n(best.percent),
    ),
  'probabilities are shares, and beating holding is no likelier than beating nothing': ({ luck }) =>
    [luck.deflated, luck.aboveHolding, luck.overfitting ?? '0'].every(isShare) &&
    n(luck.aboveHolding) <= n(luck.deflated),
  'the band has a lower and an upper end, and nobody loses more than everything': ({
    luck: { band },
  }) => n(band.low) <= n(band.high) && n(band.low) >= -100,
  'the label is what its figures say': ({ luck }) =>
    !luck.isDistinguishable || (n(luck.aboveHolding) >= 94.99 && n(luck.overfitting ?? 0) <= 50),
  'the years of luck are those of the period': ({ luck }, { from, to }) =>
    Math.abs(n(luck.years) - daysBetween(from, to) / 365) <= 0.1,
}

export const PAGE_LAWS: Record<string, (figures: EvidenceFigures) => boolean> = {
  'all levels are compared with the same holding and the same cash': ({ levels, cash }) =>
    new Set(levels.map(({ luck }) => `${luck.heldSharpe} ${luck.cash} ${luck.years}`)).size === 1 &&
    (cash === null || levels[0]?.luck.cash === cash),
  'a bot that holds without a fee is buying and holding; with one it ends no higher': ({
    others,
    buyAndHold,
    costs,
  }) => {
    const { strategy: _hold, ...hold } = required(
      others.find(({ strategy }) => strategy === 'hold'),
      'hold',
    )
    if (costs.holdFee === '0.00') return JSON.stringify(hold) === JSON.stringify(buyAndHold)
    return (['worst', 'lower', 'median', 'upper', 'best'] as const).every(
      (name) => n(hold[name].percent) <= n(buyAndHold[name].percent),
    )
  },
  'a pair is in some of the windows, and some pair in each': ({ coverage, windows, pairs }) =>
    coverage.every(
      (pair) => pair.windows <= windows && pair.windows > 0 === pairs.includes(pair.pair),
    ) && coverage.reduce((sum, pair) => sum + pair.windows, 0) >= windows,
  'the costs of a side are its parts': ({ costs: { tradingFee, halfSpread, slippage, aSide } }) =>
    Math.round((n(tradingFee) + n(halfSpread) + n(slippage)) * 100) === Math.round(n(aSide) * 100),
  'a row of coins never used says at which costs': ({ holdout }) =>
    holdout.every(
      ({ costs, reached }) => n(costs) > 0 && (reached === null || n(reached.costs) > 0),
    ),
}

/** Laws for a guard's figures beside those of the same strategy without it. */
export const GUARD_LAWS: Record<string, (row: Guarded, without: Row) => boolean> = {
  'a bot without the guard fell within a window no deeper than its largest drop': (
    { fallWithout },
    { deepestFall },
  ) => n(fallWithout) <= n(deepestFall),
  'no window lost more than the largest fall within a window': ({ fallWithout }, { worst }) =>
    -n(worst.percent) <= n(fallWithout),
  'better and worse are at most all windows, and only where the guard was reached': ({
    betterPercent,
    worsePercent,
    reachedPercent,
  }) =>
    [betterPercent, worsePercent, reachedPercent].every(isShare) &&
    n(betterPercent) + n(worsePercent) <= n(reachedPercent) + 0.02,
  'the median points the way that most windows went': ({
    medianPoints,
    betterPercent,
    worsePercent,
  }) =>
    (!isMost(n(worsePercent), 100) || n(medianPoints) < 0) &&
    (!isMost(n(betterPercent), 100) || n(medianPoints) > 0),
  'falls are shares': ({ fall, fallWithout }) => isShare(fall) && isShare(fallWithout),
}

export function rowsOf({ levels, others, buyAndHold }: EvidenceFigures): Row[] {
  return [
    ...levels.map((level) => ({ ...level, name: `trend-${level.riskLevel}` })),
    ...others.map((other) => ({ ...other, name: other.strategy })),
    { ...buyAndHold, name: 'buy and hold' },
  ]
}

/** The laws that figures break, each with its row. */
export function brokenLaws(figures: EvidenceFigures, guards?: GuardFigures): string[] {
  const rows = rowsOf(figures)
  const broken = <Each>(
    laws: Record<string, (one: Each, figures: EvidenceFigures) => boolean>,
    one: Each,
    name: string,
  ) =>
    Object.entries(laws).flatMap(([law, holds]) => (holds(one, figures) ? [] : [`${name}: ${law}`]))
  return [
    ...rows.flatMap((row) => broken(ROW_LAWS, row, row.name)),
    ...figures.levels.flatMap((level) => broken(LEVEL_LAWS, level, level.riskLevel)),
    ...broken<EvidenceFigures>(PAGE_LAWS, figures, 'page'),
    ...(guards?.strategies ?? []).flatMap(({ strategy, rows: guarded }) => {
      const without = required(
        rows.find(({ name }) => name === strategy),
        strategy,
      )
      return guarded.flatMap((row) =>
        Object.entries(GUARD_LAWS).flatMap(([law, holds]) =>
          holds(row, without) ? [] : [`${strategy} ${JSON.stringify(row.guards)}: ${law}`],
        ),
      )
    }),
  ]
}
