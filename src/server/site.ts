import { Refusal } from '#core/refusal.ts'
import type { Config } from '#server/config.ts'
import { t } from '#words/words.ts'

/**
 * Our site in an ownership message. Threat: a direct request can name any host and so obtain a
 * message for another site; PUBLIC_URL overrides it, and must be set on an installation that others
 * reach.
 */
export function siteOf(
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  { origin }: { origin: string },
): { domain: string; uri: string } {
  const address = PUBLIC_URL ?? origin
  if (!URL.canParse(address))
    throw new Refusal('invalid-input', { sentence: t('The request has no valid host.') })
  const { host, origin: uri } = new URL(address)
  return { domain: host, uri }
}
