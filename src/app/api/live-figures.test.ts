import { QueryClient, QueryObserver } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  TRACE_HOURS,
  type BalanceCurve,
  type Portfolio,
  type Price,
  type Prices,
} from '#contract/market.ts'
import type { PoolStates } from '#contract/holdings.ts'
import { openFollower } from './follow-events.ts'
import { openLiveFigures, withTicks } from './live-figures.ts'

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

test('of two states of a pool the newer is used, whichever arrives first', async () => {
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

test.each([
  ['one hour later, the curve grows', 1, 0],
  ['several hours later, it is refetched', 3, 1],
])('%s', async (_name, hours, requests) => {
  const { client, figures } = openPage(1)
  figures.close()
  const at = (hour: number) => new Date(Date.parse(AT) + hour * 3_600_000).toISOString()
  const curve: BalanceCurve = {
    range: '1M',
    netDeposits: '0.00',
    curve: [{ at: AT, value: '1.00' }],
    day: [{ at: AT, value: '1.00' }],
    dayTrades: [],
    firstTradeAt: null,
    firstPeriod: null,
    withoutTrading: [{ at: AT, value: '1.00' }],
    moneyMarks: [],
    since: AT,
  }
  let asked = 0
  const observer = new QueryObserver<BalanceCurve>(client, {
    queryKey: ['getBalanceCurve', '1M'],
    queryFn: () => {
      asked += 1
      return curve
    },
    initialData: curve,
  })
  const leave = observer.subscribe(() => undefined)
  const follower = openFollower(client)
  const tick = { price: '2.00', change24h: '0.00', at: at(hours), stale: false, closes: ['2.00'] }
  follower.event('prices', JSON.stringify({ BTC: tick }))
  expect(observer.getCurrentResult().data?.curve.at(-1)).toEqual({ at: at(hours), value: '1.00' })
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toBe(requests)
  follower.close()
  leave()
})

const whole = Array.from({ length: TRACE_HOURS }, (_, hour) => String(hour))
const BTC: Price = {
  name: 'Bitcoin',
  price: '100.0',
  change24h: '1.00',
  trace: whole,
  at: '2026-11-22T10:00:00.000Z',
  stale: false,
}
const tick = { price: '101.0', change24h: '-2.00', at: '2026-11-22T11:00:00.000Z', stale: true }

test('an event changes price, change, time and staleness of its own symbols alone', () => {
  expect(withTicks({ BTC, ETH: BTC }, { BTC: tick })).toEqual({
    BTC: { ...BTC, ...tick },
    ETH: BTC,
  })
})

test('a closed hour is appended to the trace, and the oldest is dropped', () => {
  const closes = [String(TRACE_HOURS)]
  expect(withTicks({ BTC }, { BTC: { ...tick, closes } })['BTC']?.trace).toEqual([
    ...whole.slice(1),
    ...closes,
  ])
})

test('hours that are in the trace already are not added twice', () => {
  const closes = [...whole.slice(-3), 'new']
  expect(withTicks({ BTC }, { BTC: { ...tick, closes } })['BTC']?.trace).toEqual([
    ...whole.slice(1),
    'new',
  ])
})

test('after a gap the whole trace replaces it', () => {
  const closes = whole.map((close) => `9${close}`)
  expect(withTicks({ BTC }, { BTC: { ...tick, closes } })['BTC']?.trace).toEqual(closes)
})

test('a trace that the page left out is not begun with the last hours', () => {
  const closes = ['1']
  expect(
    withTicks({ BTC: { ...BTC, trace: [] } }, { BTC: { ...tick, closes } })['BTC']?.trace,
  ).toEqual([])
})

test('a short trace gets longer', () => {
  expect(
    withTicks({ BTC: { ...BTC, trace: ['1'] } }, { BTC: { ...tick, closes: ['2'] } })['BTC']?.trace,
  ).toEqual(['1', '2'])
})
