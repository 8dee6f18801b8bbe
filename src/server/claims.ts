import type { PublicConfig } from '#contract/config.ts'
import type { Settings } from './settings.ts'

/**
 * The returns that screens name. Real money is asked for with past results; a demonstration may
 * name targets.
 */
export function claimsOf({
  BOOK,
  CLAIMS,
}: Pick<Settings, 'BOOK' | 'CLAIMS'>): PublicConfig['claims'] {
  if (CLAIMS !== 'auto') return CLAIMS
  return BOOK === 'live' ? 'evidence' : 'targets'
}
