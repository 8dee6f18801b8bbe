import { useDeviceFact } from '#app/ui/device/device-facts.ts'

const YEAR_SECONDS = 31_536_000

/** Kept in a cookie only: the server must know it too, or the page would show the balance until scripts hide it. */
const HIDDEN = 'hide-balance=yes'

const listeners = new Set<() => void>()

/** Whether this device hides the balance from onlookers. */
export function useHiddenBalance(): { hidden: boolean; toggle: () => void } {
  const hidden = useDeviceFact({ onDevice: isHidden, onPage: ({ hidesBalance }) => hidesBalance, subscribe })
  return { hidden, toggle: () => hide(!hidden) }
}

function isHidden(): boolean {
  return document.cookie.split('; ').includes(HIDDEN)
}

function hide(hidden: boolean): void {
  document.cookie = `${HIDDEN}; path=/; samesite=lax; max-age=${hidden ? YEAR_SECONDS : 0}`
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
