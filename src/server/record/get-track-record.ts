import type { TrackRecord } from '#contract/track-record.ts'
import { sentenceText } from '#words/sentence-text.ts'
import { t } from '#words/words.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { cashGrowth } from '#server/holdings/yields.ts'
import { showRecord } from './show-record.ts'

/**
 * A request waits this long for a record that is being read: less than the server's limit for a
 * response.
 */
const PATIENCE_MS = 8_000

/**
 * The results of every strategy since the book began, beside the backtest of the same time. Public,
 * and without amounts or people.
 */
export const getTrackRecord: Handler<'getTrackRecord'> = async (context) => {
  const record = await context.record.soon(PATIENCE_MS)
  const common = recordOf(context)
  if (record === undefined)
    return { state: 'computing', ...common, sentence: t('The track record is being computed.') }
  if (record === 'failed')
    return { state: 'none', ...common, sentence: t('The track record could not be computed.') }
  const shown = showRecord(record)
  const longest = shown.strategies.reduce<readonly { at: string }[]>(
    (most, { curve }) => (curve.length > most.length ? curve : most),
    [],
  )
  return {
    state: 'figures',
    ...common,
    ...shown,
    cash: await cashGrowth(
      context.sql,
      longest.map(({ at }) => Date.parse(at)),
    ),
  }
}

function recordOf({ feed, config }: Context): Pick<TrackRecord, 'market' | 'isPaper'> {
  return { market: sentenceText(feed.label), isPaper: config.BOOK === 'paper' }
}
