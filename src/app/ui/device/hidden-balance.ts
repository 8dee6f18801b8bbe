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
 * `useMoneyText` follow it.
 */
export function useHiddenBalance(): { hidden: boolean; toggle: () => void } {
  const hidden = useSwitch()
  return { hidden, toggle: () => turn(!hidden) }
}

type CookieSwitch = { useSwitch: () => boolean; turn: (on: boolean) => void }

/**
 * A setting of this device. It is kept in a cookie only: the server must know it too, or the page
 * would change once scripts run.
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
  // Every amount on a screen reads this. The browser reads slowly, so one result serves all reads
  // of the same turn.
  const onDevice = () => {
    if (known === undefined) queueMicrotask(() => (known = undefined))
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
