import type { PublicConfig } from '#contract/config.ts'
import type { Settings } from './settings.ts'

/** Where users reach the operator: the email address if there is one, else the page. */
export function supportOf({
  SUPPORT_EMAIL,
  SUPPORT_URL,
}: Pick<Settings, 'SUPPORT_EMAIL' | 'SUPPORT_URL'>): PublicConfig['support'] {
  if (SUPPORT_EMAIL !== undefined)
    return { address: SUPPORT_EMAIL, href: `mailto:${SUPPORT_EMAIL}` }
  return SUPPORT_URL === undefined ? null : { address: SUPPORT_URL, href: SUPPORT_URL }
}
