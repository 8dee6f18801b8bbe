import type { QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/events.ts'
import { CHANGED } from './changed-by-events.ts'
import { openLiveFigures } from './live-figures.ts'
import { openRefetcher, type Refetcher } from './refetcher.ts'

/** Queries that some event changes. */
const COVERED: ReadonlySet<string> = new Set(Object.values(CHANGED).flatMap(Object.keys))

export type Follower = {
  event: (name: EventName, data: string) => void
  action: Refetcher['action']
  /** Events were missed, so everything is refetched. */
  forget: () => void
  close: () => void
}

/** Computes the figures that an event brings, and refetches the queries that it changes. */
export function openFollower(client: QueryClient): Follower {
  const figures = openLiveFigures(client)
  const refetcher = openRefetcher(client, COVERED)
  return {
    event: (name, data) => {
      if (name === 'prices' || name === 'pools') figures[name](JSON.parse(data))
      for (const [route, paceMs] of Object.entries(CHANGED[name])) refetcher.event(route, paceMs)
    },
    action: refetcher.action,
    forget: figures.forget,
    close: () => {
      figures.close()
      refetcher.close()
    },
  }
}
