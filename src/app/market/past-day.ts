import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'

/**
 * The span of a daily change. In a market that runs faster than the reader's clock, it is a day of
 * the market.
 */
export function usePastDay(): string {
  return (useConfig().data?.feed.speed ?? 1) > 1 ? t('past 24 h (market time)') : t('past 24 h')
}
