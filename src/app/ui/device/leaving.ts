import { steadyMs } from './clock.ts'

/** True once this document is being replaced by a new one: a toast shown from then on is lost. */
let leaving = false

export function isLeaving(): boolean {
  return leaving
}

/**
 * Chromium may never finish a reload during which service workers change places, as on a first
 * visit; the next one ends.
 */
const RELOAD_AGAIN_MS = 8_000

export function reloadDocument(): void {
  leaving = true
  location.reload()
  setTimeout(() => location.reload(), RELOAD_AGAIN_MS)
}

/**
 * After this time the user has stayed on the page: the new one did not arrive, or the link was a
 * download.
 */
const LONGEST_LEAVING_MS = 10_000

let leavingSinceMs = -Infinity

/**
 * Notes when another page is asked for. A press on a link counts too, because Safari on iOS
 * dispatches no `beforeunload`.
 */
export function noteLeaving(): void {
  const note = () => (leavingSinceMs = steadyMs())
  window.addEventListener('beforeunload', note)
  window.addEventListener('click', ({ target, defaultPrevented }) => {
    if (
      !defaultPrevented &&
      target instanceof Element &&
      target.closest('a[href]:not([target], [download])')
    )
      note()
  })
}

/** Waits while another page is loading. Usually the new page arrives, and this never returns. */
export async function untilStaying(): Promise<void> {
  const leftMs = leavingSinceMs + LONGEST_LEAVING_MS - steadyMs()
  if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs))
}
