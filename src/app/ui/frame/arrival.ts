let wentBack = false
let isFirst = true

// The server, which renders the landing page, knows no way back.
if (typeof window !== 'undefined') {
  window.addEventListener('popstate', () => {
    wentBack = true
  })
}

/** A new screen starts at its top and takes the focus, so that it is announced; the way back keeps the place. */
export function arrive(screen: HTMLElement | null): void {
  if (!wentBack && !isFirst) window.scrollTo(0, 0)
  if (!isFirst) screen?.focus({ preventScroll: true })
  wentBack = false
  isFirst = false
}
