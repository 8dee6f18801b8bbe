import type { QueryClient, Query } from '@tanstack/react-query'

/** A deployment or a tunnel is not worth a word; without a stream for longer than this, figures say how old they are. */
const AWAY_AFTER_MS = 10_000
/** A connection that was found dead late is replaced in less, mostly. */
const LEAST_PATIENCE_MS = 2_000

/** The last sign of life of the event stream: until then the figures on the screen were current. 0 before the first. */
let aliveAtMs = 0
let isAway = false
let lost: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function noteStreamAlive(): void {
  aliveAtMs = Date.now()
  settle()
}

export function noteStreamLost(atMs: number): void {
  lost ??= setTimeout(() => setAway(true), Math.max(LEAST_PATIENCE_MS, atMs + AWAY_AFTER_MS - Date.now()))
}

/** Nobody listens any more: nothing is missed. */
export function noteStreamStopped(): void {
  aliveAtMs = 0
  settle()
}

/** Whether the stream has been away for so long that figures have to say how old they are. */
export function isStreamAway(): boolean {
  return isAway
}

export function onStreamHealth(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** From when the oldest of these answers is, in milliseconds: each was current for as long as the stream could have said otherwise. */
export function currentUntilMs(client: QueryClient, isMeant: (query: Query) => boolean): number | undefined {
  const shown = client.getQueryCache().findAll({ type: 'active', predicate: (query) => isMeant(query) && query.state.dataUpdatedAt > 0 })
  const times = shown.map(({ state }) => (state.isInvalidated ? state.dataUpdatedAt : Math.max(state.dataUpdatedAt, aliveAtMs)))
  return times.length === 0 ? undefined : Math.min(...times)
}

function settle(): void {
  clearTimeout(lost)
  lost = undefined
  setAway(false)
}

function setAway(away: boolean): void {
  if (isAway === away) return
  isAway = away
  for (const listener of listeners) listener()
}
