import type { Query } from '@tanstack/react-query'
import { deviceTime, steadyMs } from '#app/ui/device/clock.ts'

const times = new WeakMap<object, number>()

/** The answer to this query, or a failure, has just arrived. */
export function noteAnswer(query: object): void {
  times.set(query, steadyMs())
}

/**
 * When the answer to a query arrived, by the steady clock: the cache's own times are by the
 * device's, which may be set. The device's time gives the age of an answer that came with the page
 * or was kept.
 */
export function answeredMs(query: Pick<Query, 'state'>): number {
  const known = times.get(query)
  if (known !== undefined) return known
  const ms = steadyMs() - Math.max(0, deviceTime().getTime() - query.state.dataUpdatedAt)
  times.set(query, ms)
  return ms
}

/**
 * True while screens show answers kept on this device and the server has not yet confirmed the
 * session.
 */
let unconfirmed = false

export function isUnconfirmed(): boolean {
  return unconfirmed
}

export function setUnconfirmed(is: boolean): void {
  unconfirmed = is
}
