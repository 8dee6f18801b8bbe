export type Asked = { method: string; mode: string; url: string; origin: string }

/** Paths that the server answers and that are no screen. */
const NOT_SCREENS = ['/api/', '/health', '/metrics']

/**
 * What the worker does with a request. `asset`: a file whose name carries its hash, true for ever. `shell-file`: a file of the page itself.
 * `screen`: a navigation, asked of the network first. `network`: none of the worker's business, as everything below /api is:
 * what belongs to a user never enters a cache that all users of the device share.
 */
export function requestKind({ method, mode, url, origin }: Asked, shell: readonly string[]): 'asset' | 'shell-file' | 'screen' | 'network' {
  const { origin: host, pathname } = new URL(url)
  if (method !== 'GET' || host !== origin || NOT_SCREENS.some((path) => pathname.startsWith(path))) return 'network'
  if (mode === 'navigate') return 'screen'
  if (pathname.startsWith('/assets/')) return 'asset'
  return shell.includes(pathname) ? 'shell-file' : 'network'
}
