/**
 * Dispatched on the document once the first screen, which the server rendered, responds to input.
 */
export const INTERACTIVE = 'interactive'

/** Dispatched on the document if a press from before `INTERACTIVE` could not be replayed. */
export const PRESS_LOST = 'press-lost'

let isInteractive = false

export function announceInteractive(): void {
  isInteractive = true
  document.dispatchEvent(new Event(INTERACTIVE))
}

/**
 * Runs `start` once the first screen is interactive, because data that arrives earlier would make
 * React discard the server's markup.
 */
export function onceInteractive(start: () => () => void): () => void {
  let stop = (): void => undefined
  const begin = () => {
    stop = start()
  }
  if (isInteractive) begin()
  else document.addEventListener(INTERACTIVE, begin, { once: true })
  return () => {
    document.removeEventListener(INTERACTIVE, begin)
    stop()
  }
}
