import { readFileSync } from 'node:fs'
import { ForecastScores, type Forecasts } from '#contract/forecasts.ts'
import type { Handler } from '#server/action.ts'
import { RANGE_SCORES } from './range-model-files.ts'
import { learnedTrials, readRegister } from './trial-register.ts'

let shipped: Forecasts | undefined

/** Files that come with the product: read once. */
export const getForecasts: Handler<'getForecasts'> = async () => {
  shipped ??= {
    scores: ForecastScores.parse(JSON.parse(readFileSync(RANGE_SCORES, 'utf8'))),
    ...learnedTrials(readRegister().rows),
  }
  return shipped
}
