import type { Forecasts } from '#contract/forecasts.ts'
import type { Handler } from '#server/action.ts'
import { shippedScores } from '#server/market/next-day.ts'
import { modelOf, readRangeDays } from '#server/market/range-days.ts'
import { scoresAt } from './market-scores.ts'
import { day, idOf } from './range-model-files.ts'
import { learnedTrials, readRegister } from './trial-register.ts'

let shipped: Omit<Forecasts, 'here'> | undefined

/**
 * Scores and trials of the shipped model, read once. On a live market, also the scores of the
 * market's own forecasts.
 */
export const getForecasts: Handler<'getForecasts'> = async ({ feed, sql }) => {
  shipped ??= { scores: shippedScores(), ...learnedTrials(readRegister().rows) }
  if (!feed.live) return { ...shipped, here: null }
  const recorded = await readRangeDays(sql)
  const model = modelOf(recorded.days)
  const newest = model && {
    model: idOf(day(model.trainedUntilMs)),
    rests: model.resting !== undefined,
  }
  return { ...shipped, scores: { ...shipped.scores, ...newest }, here: scoresAt(recorded) }
}
