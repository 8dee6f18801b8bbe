import { CONTENT } from '#app/ui/frame/screen-frame.tsx'

/** Pixels between a reason and the toast below it. */
const GAP_PX = 12

/**
 * Scrolls the screen up by as much as the toast covers of the sentences that explain what failed:
 * those at a field, and those below a form's buttons. A screen that ends there gets the room for
 * it, until it is left. Returns a function that cancels it.
 */
export function clearReasons(toast: HTMLElement): () => void {
  // In the second frame the screen shows its sentences, and its bar, on which the toast stands, has
  // been measured.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => scrollClear(toast))
  })
  return () => cancelAnimationFrame(frame)
}

function scrollClear(toast: HTMLElement): void {
  const screen = document.getElementById(CONTENT)
  const over = toast.getBoundingClientRect()
  const reasons = [...(screen?.querySelectorAll('[role=alert], [role=status]') ?? [])].map(
    (reason) => reason.getBoundingClientRect(),
  )
  const covered = reasons.filter(
    ({ height, right, top, bottom }) =>
      height > 0 && right > over.left && top < over.bottom && bottom + GAP_PX > over.top,
  )
  const missing = Math.max(0, ...covered.map(({ bottom }) => bottom + GAP_PX - over.top))
  if (!screen || missing === 0) return
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement
  const room = scrollHeight - clientHeight - scrollTop
  // A toast before this one may have made room already.
  const made = Number.parseInt(screen.style.marginBottom, 10) || 0
  if (room < missing) screen.style.marginBottom = `${made + Math.ceil(missing - room)}px`
  window.scrollBy({ top: missing, behavior: 'instant' })
}
