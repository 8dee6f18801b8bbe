import type { PageFacts } from '#contract/page-data.ts'
import { useDeviceFact } from './device-facts.ts'

const YEAR_SECONDS = 31_536_000

export type CookieSwitch = { useSwitch: () => boolean; turn: (on: boolean) => void }

/** A setting of this device. It is kept in a cookie only: the server must know it too, or the page would change once scripts run. */
export function cookieSwitch({ cookie, onPage }: { cookie: `${string}=${string}`; onPage: (page: PageFacts) => boolean }): CookieSwitch {
  const listeners = new Set<() => void>()
  let known: boolean | undefined
  // Each amount on a screen asks. The browser's answer is slow, so one serves all that ask in the same turn.
  const onDevice = () => {
    if (known === undefined) queueMicrotask(() => (known = undefined))
    known ??= document.cookie.split('; ').includes(cookie)
    return known
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    useSwitch: () => useDeviceFact({ onDevice, onPage, subscribe }),
    turn: (on) => {
      document.cookie = `${cookie}; path=/; samesite=lax; max-age=${on ? YEAR_SECONDS : 0}`
      known = undefined
      for (const listener of listeners) listener()
    },
  }
}
