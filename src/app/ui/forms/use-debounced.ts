import { useEffect, useState } from 'react'

/**
 * `text` as it was when it last stayed unchanged for `delayMs`. Keeps typing from sending a request
 * per keystroke.
 */
export function useDebounced(text: string, delayMs: number): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return debounced
}
