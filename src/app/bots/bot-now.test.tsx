import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { BotPerformance, Holding } from '#contract/bots.ts'
import { PAIRS, type Pair } from '#core/market/pair.ts'
import { BotNow } from './bot-now.tsx'

const START = '2026-01-01T00:00:00.000Z'
const LOOKED_AT = '2026-01-02T14:00:00.000Z'

const NEXT = { lookedAt: LOOKED_AT, trends: [], percent: 50, above: null, below: null }
const HOLDING: Holding = {
  pair: 'BTC/USDT',
  cash: '50.00',
  ownCash: '0.00',
  quantity: '0.50000000',
  value: '50.00',
  wantedPercent: '50.00',
  reason: 'Follows the trend.',
  next: NEXT,
}

/** Printing amounts reads the device's cookies. */
beforeAll(() => void vi.stubGlobal('document', { cookie: '' }))
afterAll(() => void vi.unstubAllGlobals())

/** Renders on a simulated market, whose hours last 3,600 seconds at speed 1. */
function textOf(shown: {
  speed: number
  status: string
  holding: Partial<Holding>
  pairs?: readonly Pair[]
}): string {
  const client = new QueryClient()
  client.setQueryData(['getConfig'], {
    feed: { kind: 'simulated', speed: shown.speed, start: START },
  })
  client.setQueryData(['getPrices'], {})
  const performance = {
    bot: { status: shown.status, riskLevel: 'aggressive' },
    holdings: (shown.pairs ?? ['BTC/USDT']).map((pair) => ({ ...HOLDING, ...shown.holding, pair })),
  } as unknown as BotPerformance
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <BotNow performance={performance} />
    </QueryClientProvider>,
  )
  return markup.replaceAll(/<[^>]*>/g, ' ')
}

const SHORT_HOURS = 3_600
const trend = (isUp: boolean) => ({ days: 10, isUp })
const ONE_UP = { next: { ...NEXT, trends: [trend(true), trend(false)] }, cash: '150.00' }
const SWINGS = { ...ONE_UP, next: { ...ONE_UP.next, percent: 20 } }
const NONE_UP = { next: { ...NEXT, trends: [trend(false)] } }
const IN_CASH = { quantity: '0.00000000', wantedPercent: '0.00' }

const AGAIN = 'checks again at 15:00'

test.each([
  [1, 'active', {}, 'Checked 14:00: holds BTC.', AGAIN],
  [1, 'active', ONE_UP, '1 of 2 trends up, so 25% in coins, 75% in cash.', AGAIN],
  [
    1,
    'active',
    SWINGS,
    '1 of 2 trends up, but prices swing, so only 25% in coins, 75% in cash.',
    AGAIN,
  ],
  [1, 'active', NONE_UP, 'Checked 14:00: holds BTC.', AGAIN],
  [1, 'active', IN_CASH, 'Checked 14:00: stays in cash.', AGAIN],
  [SHORT_HOURS, 'active', {}, 'Checked Day 2, 14:00: holds BTC.', undefined],
  [1, 'active', { next: null }, 'Holds BTC.', undefined],
  [1, 'paused', {}, 'Paused until you resume it.', undefined],
])('at speed %i, %s, %j: %s', (speed, status, holding, summary, again) => {
  const text = textOf({ speed, status, holding })
  expect(text).toContain(summary)
  expect(/checks again at [\d:]+/.exec(text)?.[0]).toBe(again)
})

test('five coins are shown until the reader asks for all', () => {
  const shares = (count: number) =>
    textOf({ speed: 1, status: 'active', holding: {}, pairs: PAIRS.slice(0, count) })
      .split('Details')[0]
      ?.replaceAll(/\s+/g, ' ')
      .match(/\d+% of|All coins/g)
  expect([shares(5), shares(6)]).toEqual([
    Array.from({ length: 5 }, () => '50% of'),
    [...Array.from({ length: 5 }, () => '50% of'), 'All coins'],
  ])
})
