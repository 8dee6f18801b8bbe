import { useEffect, useState } from 'react'

/** The text as it is after `delayMs` without a change: typing does not ask the server at every key. */
export function useSettled(text: string, delayMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return settled
}
