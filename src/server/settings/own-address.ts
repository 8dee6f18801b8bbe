import type { Settings } from './settings.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'

type Address = Pick<Settings, 'PUBLIC_URL'>

/** Whether users reach this installation over TLS only. If so, cookies and headers require TLS. */
export function isBehindTls({ PUBLIC_URL }: Address): boolean {
  return PUBLIC_URL?.startsWith('https:') === true
}

/**
 * Threat: a neighbor under the same domain plants a cookie, or reads ours over plain HTTP. So over
 * TLS its name has a prefix, which limits the cookie to TLS, this host and every path. Source: RFC
 * 6265bis, 4.1.3.2.
 */
export function cookieName(settings: Address, name: 'sid' | 'device' | 'kept'): string {
  return isBehindTls(settings) ? `__Host-${name}` : name
}

/**
 * A setting of the device, from the cookie that scripts keep (`src/app/ui/device/cookie-of.ts`).
 * Over TLS, a prefix of its name prevents other hosts from planting the cookie.
 */
export function deviceCookie(
  cookies: Readonly<Record<string, string | undefined>>,
  name: 'theme' | 'time-zone' | 'hide-balance' | 'first-steps' | 'font' | 'language',
): string | undefined {
  return cookies[`__Host-${name}`] ?? cookies[name]
}

/**
 * The site named in ownership messages. Threat: a request can name any host and so obtain a message
 * for another site. PUBLIC_URL overrides the host, and must be set if others can reach the
 * installation.
 */
export function siteOf(
  { PUBLIC_URL }: Address,
  { origin }: { origin: string },
): { domain: string; uri: string } {
  const address = PUBLIC_URL ?? origin
  if (!URL.canParse(address))
    throw new Refusal('invalid-input', { sentence: t('The request has no valid host.') })
  const { host, origin: uri } = new URL(address)
  return { domain: host, uri }
}

/**
 * The file with the port of this data folder's server. Needed by commands in another shell, which
 * lacks its PORT.
 */
const fileOf = (dataDir: string): string => join(dataDir, 'port')

/** Stores the port for commands. If the folder cannot be written, they need the setting instead. */
export function keepPort(dataDir: string, port: number): void {
  try {
    writeFileSync(fileOf(dataDir), `${port}\n`)
  } catch {
    // Ignored: the port is used only for links in messages that a command prints.
  }
}

/** Undefined if no server has run here. */
export function keptPort(dataDir: string): number | undefined {
  try {
    const text = readFileSync(fileOf(dataDir), 'utf8').trim()
    return /^\d{1,5}$/.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}
