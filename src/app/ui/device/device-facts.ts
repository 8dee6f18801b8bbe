import { createContext, useContext, useSyncExternalStore } from 'react'
import type { PageFacts } from '#contract/page-data.ts'

/** The facts that the server rendered the page with; undefined without its markup. */
export const PageFactsContext = createContext<PageFacts | undefined>(undefined)

type Fact<Value> = {
  onDevice: () => Value
  onPage: (page: PageFacts) => Value
  subscribe?: (listener: () => void) => () => void
}

/**
 * A fact read from the device. On the server and during hydration, the value with which the page
 * was rendered, because the markup must match.
 */
export function useDeviceFact<Value>({ onDevice, onPage, subscribe = never }: Fact<Value>): Value {
  const page = useContext(PageFactsContext)
  return useSyncExternalStore(subscribe, onDevice, () => (page ? onPage(page) : onDevice()))
}

function never(): () => void {
  return () => undefined
}
