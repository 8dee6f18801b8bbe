import type { Forecasts } from '#contract/forecasts.ts'
import type { Handler } from '#server/action.ts'
import { shippedScores } from '#server/market/next-day.ts'
import { learnedTrials, readRegister } from './trial-register.ts'

let shipped: Forecasts | undefined

/** Files that come with the product: read once. */
export const getForecasts: Handler<'getForecasts'> = async () => {
  shipped ??= { scores: shippedScores(), ...learnedTrials(readRegister().rows) }
  return shipped
}
