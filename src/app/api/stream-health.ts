import { steadyMs } from '#app/ui/device/clock.ts'

/** Outages longer than this, unlike a deployment or a tunnel, show the age of the figures. */
const DOWN_AFTER_MS = 10_000
const MINIMUM_DELAY_MS = 2_000

/** When the event stream was last known to work, and so the figures on the screen were current. */
let aliveAtMs = -Infinity
let isDown = false
let lost: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function noteStreamAlive(): void {
  aliveAtMs = steadyMs()
  settle()
}

export function noteStreamLost(atMs: number): void {
  lost ??= setTimeout(
    () => setDown(true),
    Math.max(MINIMUM_DELAY_MS, atMs + DOWN_AFTER_MS - steadyMs()),
  )
}

export function noteStreamStopped(): void {
  aliveAtMs = -Infinity
  settle()
}

/**
 * Notes that a hidden tab paused its stream. Returns the time, by the steady clock, until which its
 * figures were current.
 */
export function noteStreamPaused(): number {
  settle()
  return aliveAtMs
}

export function isStreamDown(): boolean {
  return isDown
}

export function onStreamHealth(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Time for which the stream has been alive, by the steady clock. */
export function streamAliveMs(): number {
  return aliveAtMs
}

function settle(): void {
  clearTimeout(lost)
  lost = undefined
  setDown(false)
}

function setDown(down: boolean): void {
  if (isDown === down) return
  isDown = down
  for (const listener of listeners) listener()
}
