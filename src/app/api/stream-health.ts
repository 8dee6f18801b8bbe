import type { QueryClient, Query } from '@tanstack/react-query'
import { steadyMs } from '#app/ui/device/clock.ts'
import { answeredMs } from './answer-times.ts'

/** A deployment or a tunnel is shorter than this. A longer outage shows the age of the figures. */
const DOWN_AFTER_MS = 10_000
const MINIMUM_DELAY_MS = 2_000

/**
 * When the event stream was last known to work: until then the figures on the screen were current.
 */
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
 * The stream was closed because the tab is hidden. Figures were current until then. Returns that
 * time, by the steady clock.
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

/**
 * When the oldest of these answers was last current, by the steady clock: while the stream is up,
 * an answer without an event is current.
 */
export function currentUntilMs(
  client: QueryClient,
  isMeant: (query: Query) => boolean,
): number | undefined {
  const shown = client.getQueryCache().findAll({
    type: 'active',
    predicate: (query) => isMeant(query) && query.state.dataUpdatedAt > 0,
  })
  const times = shown.map((query) =>
    query.state.isInvalidated ? answeredMs(query) : Math.max(answeredMs(query), aliveAtMs),
  )
  return times.length === 0 ? undefined : Math.min(...times)
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
