import { inEnglish } from '#core/sentences.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { findTexts, readRangeDays } from '#server/market/range-days.ts'
import { throttle } from '#server/security/throttle.ts'
import { scoresAt } from './market-scores.ts'

/** The proof of this market's forecasts. */
export const getForecastBundle: Handler<'getForecastBundle'> = async (
  { sql, feed },
  { client },
) => {
  await throttle(sql, { key: `bundle:${client.address}`, limit: 60, windowSeconds: 60 })
  const { days, head } = await readRangeDays(sql)
  if (days.length === 0) throw new Refusal('not-found')
  const lines = (await findTexts(sql)).slice(0, days.length)
  return {
    format: 'forecasts 1',
    market: inEnglish(feed.label),
    scores: scoresAt({ days, head }),
    head,
    lines,
  }
}
