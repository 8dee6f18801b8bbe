import { CONTENT } from '#app/ui/frame/screen-frame.tsx'

/**
 * Focuses the open panel or, without one, the screen. For actions that remove the control that was
 * pressed.
 */
export function focusAround(): void {
  const panel = [...document.querySelectorAll<HTMLElement>('dialog[open] > div')].at(-1)
  const place = panel ?? document.getElementById(CONTENT)
  place?.focus({ preventScroll: true })
}
