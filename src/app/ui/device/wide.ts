import { useDeviceFact } from './device-facts.ts'

/** Width from which screens have columns (`lg:` in class names). */
const WIDE = '(width >= 64rem)'

/**
 * Whether the screen is wide enough for columns. The server guesses, so that a page for a desktop
 * has them from its first paint on. Because the window may be narrow, callers must wrap what
 * depends on the guess in `hidden lg:block`.
 */
export function useWide(): boolean {
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
