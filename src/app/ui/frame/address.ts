import { createContext, useContext, useMemo } from 'react'
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location'

export type Navigate = (to: string, options?: { replace?: boolean; state?: object }) => void

/**
 * How screens read and change the address. `page`: the requested page, on the server, which has no
 * address bar.
 */
type AddressBar = { navigate: Navigate; page?: ServedPage }
export type ServedPage = { path: string; search: string; redirect: (to: string) => void }

export const AddressContext = createContext<AddressBar>({ navigate })

export function useLocation(): [path: string, navigate: Navigate] {
  const { navigate: change, page } = useContext(AddressContext)
  return [usePathname(page && { ssrPath: page.path }), change]
}

export function usePathId(): string {
  const [path] = useLocation()
  return path.split('/')[2] ?? ''
}

type ChangeFields = (
  next: (before: URLSearchParams) => URLSearchParams,
  options?: Parameters<Navigate>[1],
) => void

/**
 * The fields behind the question mark. A change is applied to the fields at the time of the change.
 */
export function useSearchParams(): [fields: URLSearchParams, change: ChangeFields] {
  const { navigate: change, page } = useContext(AddressContext)
  const text = useSearch(page && { ssrSearch: page.search })
  return [
    useMemo(() => new URLSearchParams(text), [text]),
    (next, options) => {
      const fields = next(new URLSearchParams(location.search)).toString()
      change(fields === '' ? location.pathname : `${location.pathname}?${fields}`, options)
    },
  ]
}
