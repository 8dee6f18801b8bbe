/** Dispatched on the document once the first screen, which the server rendered, responds to input. */
export const INTERACTIVE = 'interactive'

let isInteractive = false

export function announceInteractive(): void {
  isInteractive = true
  document.dispatchEvent(new Event(INTERACTIVE))
}

/**
 * Runs `start` once the first screen is interactive: data that arrived earlier would make React discard the server's markup.
 * Returns a stop function.
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
