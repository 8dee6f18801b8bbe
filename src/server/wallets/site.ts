import { Refusal } from '#core/refusal.ts'
import type { Config } from '#server/config.ts'

/**
 * Who we are in an ownership message. Threat: whoever reaches us directly may name any host, and so have us make a message that
 * suits another site; PUBLIC_URL decides where it is set, and an installation that others reach sets it.
 */
export function siteOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, { origin }: { origin: string }): { domain: string; uri: string } {
  const address = PUBLIC_URL ?? origin
  if (!URL.canParse(address)) throw new Refusal('invalid-input', { sentence: 'The request names no host.' })
  const { host, origin: uri } = new URL(address)
  return { domain: host, uri }
}
