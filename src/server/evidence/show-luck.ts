import type { Luck } from '#contract/evidence.ts'
import { BLOCK_DAYS } from '#core/luck/bootstrap.ts'
import type { LuckFigures } from '#core/luck/luck.ts'
import { percentOfFraction } from '#core/money/percent.ts'

/**
 * The figures of luck for the wire, rounded against the strategy: gains and probabilities of skill
 * down, the probability of overfitting up.
 */
export function showLuck(luck: LuckFigures, cashRate: number): Luck {
  const { band } = luck
  return {
    isDistinguishable: luck.isDistinguishable,
    sharpe: floored(luck.sharpe, 2),
    heldSharpe: floored(luck.heldSharpe, 2),
    cash: percentOfFraction(cashRate),
    deflated: flooredPercent(luck.deflated),
    aboveHolding: flooredPercent(luck.aboveHolding),
    overfitting:
      luck.overfitting === undefined
        ? null
        : percentOfFraction(Math.ceil(luck.overfitting * 10_000 - 1e-6) / 10_000),
    trials: luck.trials,
    years: floored(luck.years, 1),
    minimumYears: Number.isFinite(luck.minimumYears)
      ? (Math.ceil(luck.minimumYears * 10) / 10).toFixed(1)
      : null,
    band: { low: flooredPercent(band.low), high: flooredPercent(band.high), blockDays: BLOCK_DAYS },
  }
}

function flooredPercent(fraction: number): string {
  return percentOfFraction(Math.floor(fraction * 10_000) / 10_000)
}

function floored(figure: number, decimals: 1 | 2): string {
  const scale = 10 ** decimals
  return (Math.floor(figure * scale) / scale).toFixed(decimals)
}
