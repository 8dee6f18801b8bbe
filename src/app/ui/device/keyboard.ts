import { useEffect, useState } from 'react'

/** Minimum height difference of a keyboard; smaller ones are browser toolbars. */
const SMALLEST_KEYBOARD_PX = 120

/**
 * The height in pixels of the on-screen keyboard, which phones lay over elements fixed to the
 * bottom; 0 without one.
 */
export function useKeyboardHeight(): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return undefined
    const measure = () => {
      const covered = Math.round(window.innerHeight - viewport.height - viewport.offsetTop)
      setHeight(covered >= SMALLEST_KEYBOARD_PX && viewport.scale === 1 ? covered : 0)
    }
    viewport.addEventListener('resize', measure)
    viewport.addEventListener('scroll', measure)
    return () => {
      viewport.removeEventListener('resize', measure)
      viewport.removeEventListener('scroll', measure)
    }
  }, [])
  return height
}
