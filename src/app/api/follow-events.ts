import type { QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/events.ts'
import type { BalanceCurve, PriceTicks } from '#contract/market.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import { openLiveFigures } from './live-figures.ts'
import { openRefetcher, type Refetcher } from './refetcher.ts'

const CURVE_PACE_MS = 60_000

export type Follower = Pick<Refetcher, 'changed' | 'paced' | 'close'> & {
  event: (name: EventName, data: string) => void
  forget: () => void
}

export function openFollower(client: QueryClient): Follower {
  const figures = openLiveFigures(client)
  const refetcher = openRefetcher(client)
  return {
    ...refetcher,
    event: (name, data) => {
      if (name === 'pools') figures.pools(JSON.parse(data))
      if (name === 'prices') {
        const ticks: PriceTicks = JSON.parse(data)
        if (missesHours(client, ticks)) refetcher.paced('getBalanceCurve', CURVE_PACE_MS)
        figures.prices(ticks)
        if (Object.values(ticks).every(({ closes }) => closes === undefined)) return
      }
      refetcher.event(name)
    },
    forget: figures.forget,
    close: () => {
      figures.close()
      refetcher.close()
    },
  }
}

/** Whether a curve misses hours: it can grow only by one hour at a time. */
function missesHours(client: QueryClient, ticks: PriceTicks): boolean {
  const nowMs = Math.max(...Object.values(ticks).map(({ at }) => Date.parse(at)))
  return client
    .getQueriesData<BalanceCurve>({ queryKey: ['getBalanceCurve'] })
    .some(([, curve]) => {
      const last = curve?.day.at(-1)
      return last !== undefined && floorHour(nowMs) - floorHour(Date.parse(last.at)) > HOUR_MS
    })
}
