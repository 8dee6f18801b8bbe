/** Sent to the document once the screen that the server rendered answers to what people do. */
export const ALIVE = 'alive'

let isAlive = false

export function sayAlive(): void {
  isAlive = true
  document.dispatchEvent(new Event(ALIVE))
}

/** Runs `act` once the first screen is alive: news that came to it before would make React throw its markup away. Returns the way to stop. */
export function onceAlive(act: () => () => void): () => void {
  let stop = (): void => undefined
  const begin = () => {
    stop = act()
  }
  if (isAlive) begin()
  else document.addEventListener(ALIVE, begin, { once: true })
  return () => {
    document.removeEventListener(ALIVE, begin)
    stop()
  }
}
