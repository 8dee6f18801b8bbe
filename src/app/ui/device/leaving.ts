import type { Language } from '#words/language.ts'
import { steadyMs } from './clock.ts'
import { setCookie } from './cookie-of.ts'

/** True once this document is being replaced by a new one, so that a toast would be lost. */
let leaving = false

export function isLeaving(): boolean {
  return leaving
}

/**
 * In Chromium, a reload while service workers change, as on a first visit, may hang. The next
 * reload succeeds.
 */
const RELOAD_AGAIN_MS = 8_000

export function reloadDocument(): void {
  leaving = true
  location.reload()
  setTimeout(() => location.reload(), RELOAD_AGAIN_MS)
}

/** Reloads the address in another language, because a page never changes its language. */
export function reloadIn(language: Language): void {
  setCookie('language', language)
  reloadDocument()
}

/**
 * After this time the page was not left: the new page did not arrive, or the link was a download.
 */
const LONGEST_LEAVING_MS = 10_000

let leavingSinceMs = -Infinity

/**
 * Notes when another page is requested, also by a press on a link, because Safari on iOS dispatches
 * no `beforeunload`.
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

/**
 * Waits while another page is loading. Usually never returns, because the new page replaces this
 * one.
 */
export async function untilStaying(): Promise<void> {
  const leftMs = leavingSinceMs + LONGEST_LEAVING_MS - steadyMs()
  if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs))
}
