import { unitsToDecimal } from '#core/money/decimal.ts'
import { unitsOfSignal } from '#core/money/signal.ts'

/**
 * Causes of the difference between the real value and the backtest's. They sum to the difference,
 * as parts of the value at the start. fee: the venue's fee, assumed minus paid · spread: fill price
 * against the market price at that moment, assumed minus paid · delay: market move between the open
 * of the hour and the fill · missed: trades not made, made in part or in another hour, and
 * resulting differences in amount · interest: on idle cash, received minus assumed · rounding:
 * whole units of money and coins.
 */
export type Gap = Record<GapPart, number>

export const GAP_PARTS = ['fee', 'spread', 'delay', 'missed', 'interest', 'rounding'] as const
type GapPart = (typeof GAP_PARTS)[number]

/** The present value of 1 at the start, real and in the backtest. Ratios, not money. */
export type Standing = { real: number; backtest: number; gap: Gap }

function gapOf<Figure>(part: (name: GapPart) => Figure): Record<GapPart, Figure> {
  return {
    fee: part('fee'),
    spread: part('spread'),
    delay: part('delay'),
    missed: part('missed'),
    interest: part('interest'),
    rounding: part('rounding'),
  }
}

export const AT_START: Standing = { real: 1, backtest: 1, gap: gapOf(() => 0) }

/** Appends `period`. The parts still add up: R·r − M·m = R·(r − m) + (R − M)·m. */
export function linked(before: Standing, period: Standing): Standing {
  return {
    real: before.real * period.real,
    backtest: before.backtest * period.backtest,
    gap: gapOf((name) => before.real * period.gap[name] + before.gap[name] * period.backtest),
  }
}

/**
 * The period that leads from one standing to a later one: the inverse of `linked`. No change once
 * the first is worthless.
 */
export function periodBetween(from: Standing, to: Standing): Standing {
  if (from.real <= 0 || from.backtest <= 0) return AT_START
  const backtest = to.backtest / from.backtest
  return {
    real: to.real / from.real,
    backtest,
    gap: gapOf((name) => (to.gap[name] - from.gap[name] * backtest) / from.real),
  }
}

/** The mean of the periods of several pools; no change without pools. */
export function meanOf(periods: readonly Standing[]): Standing {
  if (periods.length === 0) return AT_START
  const mean = (of: (standing: Standing) => number) =>
    periods.reduce((sum, standing) => sum + of(standing), 0) / periods.length
  return {
    real: mean(({ real }) => real),
    backtest: mean(({ backtest }) => backtest),
    gap: gapOf((name) => mean(({ gap }) => gap[name])),
  }
}

/**
 * The gap and its parts in basis points with 1 decimal. Each is rounded, and `rounding` also takes
 * the difference between the rounded total and the rounded parts, so that shown parts add up.
 */
export function gapFigures({ real, backtest, gap }: Standing): Record<GapPart | 'total', string> {
  const tenths = (fraction: number) => Math.round(fraction * 100_000)
  const text = (figure: number) => unitsToDecimal(unitsOfSignal(figure / 10), 1)
  const total = tenths(real - backtest)
  const parts = gapOf((name) => (name === 'rounding' ? 0 : tenths(gap[name])))
  parts.rounding = GAP_PARTS.reduce((rest, name) => rest - parts[name], total)
  return { total: text(total), ...gapOf((name) => text(parts[name])) }
}
