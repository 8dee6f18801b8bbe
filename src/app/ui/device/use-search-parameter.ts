import { useDeviceFact } from './device-facts.ts'

const EVENTS = ['popstate', 'pushState', 'replaceState']

/** A parameter of the address, kept current; '' if there is none, and while a page is hydrated: the server renders paths alone. */
export function useSearchParameter(name: string): string {
  return useDeviceFact({ onDevice: () => new URLSearchParams(location.search).get(name) ?? '', onPage: () => '', subscribe: onAddress })
}

/** The router dispatches the events of `pushState` and `replaceState`. */
function onAddress(listener: () => void): () => void {
  for (const event of EVENTS) addEventListener(event, listener)
  return () => EVENTS.forEach((event) => removeEventListener(event, listener))
}
