import { useEffect, useState } from 'react'

/** Smaller differences are toolbars that come and go. */
const SMALLEST_KEYBOARD_PX = 120

/** How far the on-screen keyboard covers the page from below, 0 where none does: phones lay it over what is fixed to the bottom. */
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
