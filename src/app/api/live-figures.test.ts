import { QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Portfolio, Prices } from '#contract/market.ts'
import type { PoolStates } from '#contract/holdings.ts'
import { openLiveFigures } from './live-figures.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const AT = '2026-01-02T00:00:00.000Z'
const PRICES: Prices = {
  BTC: { name: 'Bitcoin', price: '1.00', change24h: '0.00', trace: [], at: AT, stale: false },
}
const KEY = ['getPortfolio'] as const

/**
 * One bot with all units of a pool in cash, so that a pool's state shows as the bot's worth: after
 * change 7, $7.00.
 */
function answerWith(number: number): Portfolio {
  const value = `${number}.00`
  return {
    at: AT,
    totalBalance: value,
    availableBalance: '0.00',
    heldBalance: '0.00',
    investedBalance: value,
    netDeposits: '0.00',
    bots: [{ id: 'one', feeBps: 0, equity: value } as Portfolio['bots'][number]],
    botHoldings: { one: { invested: '0.00', cash: '0.00', sleeves: { 1: { units: '1' } } } },
    pools: { 1: { pair: 'BTC/USDT', ...stateOf(number) } },
    firstStep: null,
  }
}

const stateOf = (number: number) => ({ number, cash: `${number}.00`, base: '0.00', units: '1' })
const statesOf = (number: number): PoolStates => ({ 1: stateOf(number) })

function openPage(number: number) {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  })
  client.setQueryData(['getPrices'], PRICES)
  client.setQueryData(KEY, answerWith(number))
  const figures = openLiveFigures(client)
  const shown = () => Number(client.getQueryData<Portfolio>(KEY)?.investedBalance)
  return { client, figures, shown }
}

/** Events and answers that reach a page, in any order: some late, some twice. */
const STEP = fc.oneof(
  fc.record({ kind: fc.constant('pools' as const), number: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant('answer' as const), number: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant('prices' as const), number: fc.constant(0) }),
  fc.record({ kind: fc.constant('reopened' as const), number: fc.constant(0) }),
)

test('of two states of a pool the newer counts, whichever arrives first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(STEP, { minLength: 1, maxLength: 12 }),
      async (first, steps) => {
        const { client, figures, shown } = openPage(first)
        let [newest, ofEvents] = [first, 0]
        for (const { kind, number } of steps) {
          if (kind === 'pools') figures.pools(statesOf(number))
          if (kind === 'answer')
            await client.fetchQuery({
              queryKey: KEY,
              queryFn: () => answerWith(number),
              staleTime: 0,
            })
          if (kind === 'prices')
            figures.prices({ BTC: { price: '2.00', change24h: '0.00', at: AT, stale: false } })
          if (kind === 'reopened') figures.forget()
          ofEvents = kind === 'reopened' ? 0 : Math.max(ofEvents, kind === 'pools' ? number : 0)
          newest = kind === 'answer' ? Math.max(number, ofEvents) : Math.max(newest, ofEvents)
          expect(shown(), `${JSON.stringify(steps)}`).toBe(newest)
        }
        figures.close()
      },
    ),
    { numRuns: 200 },
  )
})
