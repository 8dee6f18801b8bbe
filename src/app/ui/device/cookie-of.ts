import { attempt } from './attempt.ts'

const YEAR_SECONDS = 31_536_000

/**
 * Browsers accept a cookie with this prefix only over TLS and from this very host. Source: RFC
 * 6265bis, 4.1.3.2.
 */
const OF_HOST = '__Host-'

/**
 * The value of a cookie that scripts may read. Undefined if the browser denies cookies: the page
 * then works as on a first visit.
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
 * Stores a setting of this device as a cookie, because the server must know it too. Over TLS no
 * other host can plant the cookie, and no plain connection sends it.
 */
export function setCookie(name: string, value: string, seconds = YEAR_SECONDS): void {
  const cookie = `${name}=${value}; path=/; samesite=lax; max-age=${seconds}`
  attempt(
    () =>
      (document.cookie = location.protocol === 'https:' ? `${OF_HOST}${cookie}; secure` : cookie),
  )
}
