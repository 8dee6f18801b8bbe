import { DAY_MS } from '#core/market/candle.ts'
import type { Settings } from '#server/settings.ts'
import { supportOf } from '#server/support.ts'

/** Where people who find a weakness report it (RFC 9116). */
export const SECURITY_TXT = '/.well-known/security.txt'

/** RFC 9116 asks for less than a year: who reads it later asks for it again. */
const VALID_DAYS = 180

type Given = Pick<Settings, 'SECURITY_CONTACT' | 'SUPPORT_EMAIL' | 'SUPPORT_URL' | 'PUBLIC_URL'>

/** Undefined where no contact is set. */
export function securityTxt(settings: Given, now: Date): string | undefined {
  const contact = settings.SECURITY_CONTACT ?? supportOf(settings)?.href
  if (contact === undefined) return undefined
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${new Date(now.getTime() + VALID_DAYS * DAY_MS).toISOString()}`,
    'Preferred-Languages: en, de',
    ...(settings.PUBLIC_URL === undefined
      ? []
      : [`Canonical: ${new URL(SECURITY_TXT, settings.PUBLIC_URL).href}`]),
  ]
  return `${lines.join('\n')}\n`
}
