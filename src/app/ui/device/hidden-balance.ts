import type { PageFacts } from '#contract/page-data.ts'
import { cookieOf, setCookie } from './cookie-of.ts'
import { useDeviceFact } from './device-facts.ts'

const { useSwitch, turn } = cookieSwitch({
  name: 'hide-balance',
  value: 'yes',
  onPage: ({ hidesBalance }) => hidesBalance,
})

/**
 * Whether this device hides the user's own amounts from onlookers. `<Money>`, `<Change>` and
 * `useMoneyText` respect it.
 */
export function useHiddenBalance(): { hidden: boolean; toggle: () => void } {
  const hidden = useSwitch()
  return { hidden, toggle: () => turn(!hidden) }
}

type CookieSwitch = { useSwitch: () => boolean; turn: (on: boolean) => void }

/**
 * A setting of this device. Stored in a cookie, because without knowing it the server would render
 * another page than scripts show.
 */
export function cookieSwitch({
  name,
  value,
  onPage,
}: {
  name: string
  value: string
  onPage: (page: PageFacts) => boolean
}): CookieSwitch {
  const listeners = new Set<() => void>()
  let known: boolean | undefined
  // Cached for a second, because every amount reads the cookie and browsers are slow at it.
  const onDevice = () => {
    if (known === undefined) setTimeout(() => (known = undefined), 1_000)
    known ??= cookieOf(name) === value
    return known
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    useSwitch: () => useDeviceFact({ onDevice, onPage, subscribe }),
    turn: (on) => {
      setCookie(name, value, on ? undefined : 0)
      known = undefined
      for (const listener of listeners) listener()
    },
  }
}
