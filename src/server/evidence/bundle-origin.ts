import type { BundleOrigin } from '#server/ports/compute.ts'
import type { Feed } from '#server/ports/feed.ts'
import { EXCHANGES } from '#server/exchange/open-exchange.ts'

/** Where the candles of a feed come from. */
export function originOfFeed({ kind, venue, seed }: Feed): BundleOrigin {
  if (seed !== undefined) return simulatedOrigin(seed)
  const exchange = EXCHANGES[venue]
  return {
    exchange,
    source:
      kind === 'live'
        ? `${exchange} spot, 1 h, from its public API`
        : 'recorded candles of this installation',
    licence: '',
    seed: null,
  }
}

export function simulatedOrigin(seed: number): BundleOrigin {
  return { exchange: 'none', source: 'simulated market', licence: '', seed }
}
