import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'
import '#app/fonts.css'
import '#app/ui/theme.css'

/** Shows `part` alone on the page, until the test ends. */
export function show(part: ReactNode): void {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  flushSync(() => root.render(part))
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
}
