type PageRequest = { method: string; mode: string; url: string; origin: string }

/** Paths of the server that are not screens. */
const NOT_SCREENS = ['/api/', '/health', '/metrics']

/**
 * How the worker handles a request. `asset`: a file with a hash in its name, which never changes.
 * `shell-file`: a file of the page itself. `screen`: a navigation, served from the network first.
 * `network`: not handled by the worker. Threat: everything below /api is `network`, so that a
 * user's data never enters a cache that all users of the device share.
 */
export function requestKind(
  { method, mode, url, origin }: PageRequest,
  shell: readonly string[],
): 'asset' | 'shell-file' | 'screen' | 'network' {
  const { origin: host, pathname } = new URL(url)
  if (method !== 'GET' || host !== origin || NOT_SCREENS.some((path) => pathname.startsWith(path)))
    return 'network'
  if (mode === 'navigate') return 'screen'
  if (pathname.startsWith('/assets/')) return 'asset'
  return shell.includes(pathname) ? 'shell-file' : 'network'
}
