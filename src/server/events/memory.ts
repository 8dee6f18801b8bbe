import { EVENT_NAMES } from '#contract/events.ts'
import type { AppEvent } from './bus.ts'

const MOST_EVENTS = 1_000

/** The latest events, for browsers whose page is rendered but whose stream is not open yet. */
export type Memory = {
  note: (event: AppEvent) => void
  /** The events at `sinceMs` or later; if that is before the oldest kept event, one event of each kind, and the last prices. */
  since: (sinceMs: number) => readonly AppEvent[]
}

export function openMemory(nowMs: () => number = Date.now): Memory {
  let remembered: { atMs: number; event: AppEvent }[] = []
  let completeSinceMs = nowMs()
  return {
    note: (event) => {
      // Only the last prices matter.
      if (event.name === 'prices') remembered = remembered.filter((other) => other.event.name !== 'prices')
      remembered.push({ atMs: nowMs(), event })
      if (remembered.length <= MOST_EVENTS) return
      const forgotten = remembered.shift()
      completeSinceMs = (forgotten?.atMs ?? completeSinceMs) + 1
    },
    since: (sinceMs) => {
      const isForgotten = sinceMs < completeSinceMs
      if (!isForgotten) return remembered.filter(({ atMs }) => atMs >= sinceMs).map(({ event }) => event)
      const prices = remembered.map(({ event }) => event).filter(({ name }) => name === 'prices')
      return [...EVENT_NAMES.filter((name) => name !== 'prices').map((name) => ({ name })), ...prices]
    },
  }
}
