import { attempt } from './attempt.ts'

const YEAR_SECONDS = 31_536_000

/**
 * Browsers take a cookie whose name begins so only over TLS and from this very host. Source: RFC
 * 6265bis, 4.1.3.2.
 */
const OF_HOST = '__Host-'

/**
 * The value of a cookie that scripts may read. Where the browser denies cookies, the page works as
 * on a first visit.
 */
export function cookieOf(name: string): string | undefined {
  const cookies = attempt(() => document.cookie) ?? ''
  const valueOf = (key: string) =>
    cookies
      .split('; ')
      .find((cookie) => cookie.startsWith(`${key}=`))
      ?.slice(key.length + 1)
  return valueOf(OF_HOST + name) ?? valueOf(name)
}

/**
 * Keeps a setting of this device, which the server must know too. Over TLS no other host can plant
 * it, and no plain connection carries it.
 */
export function setCookie(name: string, value: string, seconds = YEAR_SECONDS): void {
  const cookie = `${name}=${value}; path=/; samesite=lax; max-age=${seconds}`
  attempt(
    () =>
      (document.cookie = location.protocol === 'https:' ? `${OF_HOST}${cookie}; secure` : cookie),
  )
}
