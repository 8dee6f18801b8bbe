const YEAR_SECONDS = 31_536_000

/** Browsers take a cookie whose name begins so only over TLS and from this very host. Source: RFC 6265bis, 4.1.3.2. */
const OF_HOST = '__Host-'

/** The value of a cookie that scripts may read. */
export function cookieOf(name: string): string | undefined {
  const cookies = document.cookie.split('; ')
  const found = cookies.find((cookie) => cookie.startsWith(`${OF_HOST}${name}=`)) ?? cookies.find((cookie) => cookie.startsWith(`${name}=`))
  return found?.slice(found.indexOf('=') + 1)
}

/** Keeps a setting of this device, which the server must know too. Over TLS no other host can plant it, and no plain connection carries it. */
export function setCookie(name: string, value: string, seconds = YEAR_SECONDS): void {
  const [prefix, secure] = location.protocol === 'https:' ? [OF_HOST, '; secure'] : ['', '']
  document.cookie = `${prefix}${name}=${value}; path=/; samesite=lax; max-age=${seconds}${secure}`
  // One of an earlier version would come back once this one is gone.
  if (prefix !== '') document.cookie = `${name}=; path=/; max-age=0`
}
