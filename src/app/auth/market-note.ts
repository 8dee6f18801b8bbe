import type { PublicConfig } from '#contract/config.ts'
import { t } from '#words/words.ts'

/**
 * The prices with which bots trade here, and whether the money is real. The label of live prices is
 * a sentence already, which on a paper book names its money.
 */
export function marketNote({ book, feed }: Pick<PublicConfig, 'book' | 'feed'>): string {
  if (feed.kind === 'simulated') return t('On this demo: simulated prices.')
  if (feed.kind === 'replay') return t('On this demo: recorded prices.')
  return book === 'live' ? t('{prices}. Real money.', { prices: feed.label }) : `${feed.label}.`
}
