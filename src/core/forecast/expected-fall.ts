import { chanceOfBotFall, type BotDay } from './bot-day.ts'
import type { RangeModel } from './walk-forward.ts'

/** A fall is expected on `days` of `of` days. `days` is 0 if no past day fell as far. */
export type Frequency = { days: number; of: number }

/** From this chance on, a frequency is a number of days in ten; below, one day in a number. */
const OFTEN = 0.25

/** How often a forecast expects a fall of `fraction` or more within its day, in whole days. */
export function expectedFall(day: BotDay, fraction: number): Frequency {
  const chance = chanceOfBotFall(day, fraction)
  if (chance === 0) return { days: 0, of: day.lows.length }
  return chance < OFTEN
    ? { days: 1, of: Math.round(1 / chance) }
    : { days: Math.round(10 * chance), of: 10 }
}

/** Whether a model forecasts the day after `atMs`: it does not rest, and was not trained later. */
export function isForecaster(
  { resting, trainedUntilMs }: Pick<RangeModel, 'resting' | 'trainedUntilMs'>,
  atMs: number,
): boolean {
  return resting === undefined && trainedUntilMs <= atMs
}
