import type { PublicConfig } from '#contract/config.ts'
import { t } from '#words/words.ts'

/**
 * States the source of prices and whether the money is real. In a paper book with live prices, the
 * label already names paper money.
 */
export function marketNote({ book, feed }: Pick<PublicConfig, 'book' | 'feed'>): string {
  if (feed.kind === 'simulated') return t('Simulated prices.')
  if (feed.kind === 'replay') return t('Recorded prices.')
  return book === 'live' ? t('{prices}. Real money.', { prices: feed.label }) : `${feed.label}.`
}
