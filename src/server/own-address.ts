import type { Settings } from './settings.ts'

type Address = Pick<Settings, 'PUBLIC_URL'>

/**
 * Whether users reach this installation over TLS only: then its cookies and headers insist on it.
 */
export function isBehindTls({ PUBLIC_URL }: Address): boolean {
  return PUBLIC_URL?.startsWith('https:') === true
}

/**
 * The name of one of our cookies. Threat: a neighbor under the same domain could plant a cookie for
 * it, or read ours over plain HTTP; browsers take a cookie whose name begins so only over TLS, from
 * this very host, for all of it. Source: RFC 6265bis, 4.1.3.2.
 */
export function cookieName(settings: Address, name: 'sid' | 'device' | 'kept'): string {
  return isBehindTls(settings) ? `__Host-${name}` : name
}

/**
 * A setting of the device, which scripts keep in a cookie (`src/app/ui/device/cookie-of.ts`): over
 * TLS under a name that no other host can plant.
 */
export function deviceCookie(
  cookies: Readonly<Record<string, string | undefined>>,
  name: 'theme' | 'time-zone' | 'hide-balance' | 'first-steps' | 'font' | 'language',
): string | undefined {
  return cookies[`__Host-${name}`] ?? cookies[name]
}
