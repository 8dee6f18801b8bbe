import type { QueryClient } from '@tanstack/react-query'
import type { EventName } from '#contract/events.ts'
import type { PriceTicks } from '#contract/market.ts'
import { openLiveFigures } from './live-figures.ts'
import { openRefetcher, type Refetcher } from './refetcher.ts'

export type Follower = Pick<Refetcher, 'action' | 'paced' | 'close'> & {
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
