import { useSyncExternalStore } from 'react'
import { useDeviceFact } from './device-facts.ts'

/** From 1024 px, where screens stand in columns (`lg:` in class names). */
const WIDE = '(width >= 64rem)'

/** Whether the screen is wide enough for columns; false on the server, which does not know. */
export function useWide(): boolean {
  return useSyncExternalStore(onChange, isWide, () => false)
}

/**
 * As `useWide`, but the server guesses: a page for a desktop computer has the column from its first
 * paint on. What depends on it is inside `hidden lg:block`, because the window may be narrow.
 */
export function useProbablyWide(): boolean {
  return useDeviceFact({ onDevice: isWide, onPage: ({ isDesk }) => isDesk, subscribe: onChange })
}

function isWide(): boolean {
  return window.matchMedia(WIDE).matches
}

function onChange(listener: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
