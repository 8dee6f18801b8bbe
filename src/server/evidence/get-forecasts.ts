import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ForecastScores, TriedForTrading, type Forecasts } from '#contract/forecasts.ts'
import type { Handler } from '#server/action.ts'
import { RANGE_SCORES, TRIED_FOR_TRADING } from './range-model-files.ts'

let shipped: Forecasts | undefined

/** Files that come with the product: read once. */
export const getForecasts: Handler<'getForecasts'> = async () => {
  shipped ??= {
    scores: ForecastScores.parse(JSON.parse(readFileSync(RANGE_SCORES, 'utf8'))),
    tried: z.array(TriedForTrading).parse(JSON.parse(readFileSync(TRIED_FOR_TRADING, 'utf8'))),
  }
  return shipped
}
