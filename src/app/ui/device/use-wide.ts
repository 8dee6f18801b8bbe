import { useSyncExternalStore } from 'react'

/** From 1024 px, where screens stand in columns (`lg:` in class names). */
const WIDE = '(width >= 64rem)'

/** Whether the screen is wide enough for columns; false on the server, which does not know. */
export function useWide(): boolean {
  return useSyncExternalStore(onChange, isWide, () => false)
}

function isWide(): boolean {
  return window.matchMedia(WIDE).matches
}

function onChange(listener: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
