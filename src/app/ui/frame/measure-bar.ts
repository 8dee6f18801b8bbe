/**
 * The ref of a screen's own bar at the lower edge: keeps `--bar` in theme.css at its height, so
 * that toasts and the focus stay clear of it.
 */
export function measureBar(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined
  const root = document.documentElement.style
  const observer = new ResizeObserver(() =>
    root.setProperty('--bar', `calc(${bar.offsetHeight}px - var(--foot))`),
  )
  observer.observe(bar)
  return () => {
    observer.disconnect()
    root.removeProperty('--bar')
  }
}
