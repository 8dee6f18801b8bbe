import { useState } from 'react'

const KEY = 'hide-balance'

/** Whether this device hides the balance from onlookers. Kept where storage is allowed. */
export function useHiddenBalance(): { hidden: boolean; toggle: () => void } {
  const [hidden, setHidden] = useState(() => stored() === 'yes')
  const toggle = () => {
    setHidden(!hidden)
    store(hidden ? 'no' : 'yes')
  }
  return { hidden, toggle }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch (error) {
    return unlessDenied(error)
  }
}

function store(value: string): void {
  try {
    localStorage.setItem(KEY, value)
  } catch (error) {
    unlessDenied(error)
  }
}

/** Browsers may deny storage: the choice then lasts as long as the screen. */
function unlessDenied(error: unknown): null {
  if (error instanceof DOMException) return null
  throw error
}
