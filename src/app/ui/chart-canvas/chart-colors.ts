export type ChartLook = Record<
  'ink' | 'ink2' | 'ink3' | 'gain' | 'loss' | 'accent' | 'hairline',
  string
> & { fontFamily: string; fontSize: number }

const ROOT_SIZE = 16
const LABEL_SIZE = 12

/**
 * The colors and text size at `element`, after the theme, forced colors and the device's text size.
 */
export function lookOf(element: HTMLElement): ChartLook {
  const probe = element.appendChild(document.createElement('span'))
  const color = (name: string): string => {
    probe.style.color = `var(--color-${name})`
    return getComputedStyle(probe).color
  }
  const [ink, ink2, ink3, gain] = [color('ink'), color('ink2'), color('ink3'), color('gain')]
  const [loss, accent, hairline] = [color('loss'), color('accent'), color('hairline')]
  const { fontFamily } = getComputedStyle(probe)
  probe.remove()
  const rootSize = Number.parseInt(getComputedStyle(document.documentElement).fontSize, 10)
  return {
    ink,
    ink2,
    ink3,
    gain,
    loss,
    accent,
    hairline,
    fontFamily,
    fontSize: (LABEL_SIZE * rootSize) / ROOT_SIZE,
  }
}

/** Calls `onChange` whenever the colors may have changed, until the returned function is called. */
export function watchLook(onChange: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  )
  for (const query of queries) query.addEventListener('change', onChange)
  const chosenTheme = new MutationObserver(onChange)
  chosenTheme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    for (const query of queries) query.removeEventListener('change', onChange)
    chosenTheme.disconnect()
  }
}
