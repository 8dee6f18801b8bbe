import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Read } from './freshness.ts'
import { ACTIONS } from './actions-table.ts'
import { openRefetcher } from './refetcher.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Two queries that the event `balance` makes stale, and one that no event does. */
const SHOWN = ['getUser', 'getPortfolio', 'listWallets'] as const

async function openScreen() {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  })
  const asked: string[] = []
  const show = (name: string) =>
    new QueryObserver(client, { queryKey: [name], queryFn: () => asked.push(name) }).subscribe(
      () => undefined,
    )
  SHOWN.forEach(show)
  await vi.advanceTimersByTimeAsync(0)
  asked.length = 0
  const refetcher = openRefetcher(client)
  return {
    client,
    asked,
    show,
    event: () => refetcher.event('balance'),
    later: () => refetcher.event('pools'),
    passes: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    answer: () => {
      refetcher.changed(ACTIONS.confirmDeposit.changes)
      refetcher.changed(ACTIONS.disconnectWallet.changes)
    },
  }
}

type Screen = Awaited<ReturnType<typeof openScreen>>

const act = ({ client, answer }: Screen, ms: number) =>
  void new MutationObserver(client, {
    mutationFn: () => new Promise((resolve) => setTimeout(resolve, ms, true)),
    onSuccess: answer,
  }).mutate()

const ORDERS: Record<string, (screen: Screen) => Promise<unknown>> = {
  'with the answer': async (screen) => (act(screen, 200), await screen.passes(200), screen.event()),
  'long before the answer': async (screen) => (
    act(screen, 900),
    await screen.passes(100),
    screen.event(),
    await screen.passes(800)
  ),
  'long after the answer': async (screen) => (
    act(screen, 200),
    await screen.passes(1_000),
    screen.event()
  ),
  'several times around the answer': async (screen) => {
    act(screen, 200)
    for (const ms of [180, 10, 20, 5]) await screen.passes(ms).then(screen.event)
  },
  'not at all': async (screen) => (act(screen, 200), await screen.passes(200)),
}

test.each(Object.keys(ORDERS))(
  'each query is refetched once for an action of the user whose events arrive %s',
  async (order) => {
    const screen = await openScreen()
    await ORDERS[order]?.(screen)
    await screen.passes(10_000)
    expect(screen.asked.toSorted()).toEqual(['getPortfolio', 'getUser', 'listWallets'])
  },
)

test('a screen opened after a change is fetched only once', async () => {
  const { client, asked, answer, event, show, passes } = await openScreen()
  event()
  answer()
  client.removeQueries({ queryKey: ['getUser'] })
  show('getUser')
  await passes(10_000)
  expect(asked.toSorted()).toEqual(['getPortfolio', 'getUser', 'listWallets'])
})

/** The fetch begins 50 ms after the event. A coarse clock may show the same time for a while. */
test.each([50, 60])(
  'a second event after a fetch has begun causes another fetch, %i ms after the first',
  async (ms) => {
    const { asked, event, passes } = await openScreen()
    event()
    await passes(ms)
    event()
    await passes(10_000)
    expect(asked.toSorted()).toEqual(['getPortfolio', 'getPortfolio', 'getUser', 'getUser'])
  },
)

test('an action just before a delayed refetch is fetched once, with its own event', async () => {
  const { asked, answer, event, later, passes } = await openScreen()
  later()
  await passes(9_000)
  answer()
  await passes(900)
  event()
  await passes(200_000)
  expect(asked.toSorted()).toEqual(['getPortfolio', 'getUser', 'listWallets'])
})

const MINUTES_10 = 600_000

/**
 * A page that shows these queries. `pages`: loaded pages of a long list. Returns the times at which
 * each was refetched, in seconds.
 */
async function openPage(shown: readonly Read[], pages = 1) {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  })
  const startMs = Date.now()
  const asked = new Map<Read, number[]>(shown.map((name) => [name, []]))
  for (const name of shown) {
    const answer =
      name === 'listBotTrades' ? { pages: Array.from({ length: pages }, () => ({})) } : {}
    client.setQueryData([name], answer)
    new QueryObserver(client, {
      queryKey: [name],
      queryFn: () => {
        asked.get(name)?.push((Date.now() - startMs) / 1_000)
        return answer
      },
    }).subscribe(() => undefined)
  }
  await vi.advanceTimersByTimeAsync(0)
  const refetcher = openRefetcher(client)
  return { client, refetcher, asked, timesOf: (name: Read) => asked.get(name) ?? [] }
}

test.each([
  [['getPortfolio'], 1],
  [['getBotPerformance', 'listBotTrades'], 1],
  [['getBotPerformance', 'listBotTrades'], 3],
  [['getBotPerformance', 'listBotTrades', 'getPortfolio'], 1],
] as const)(
  'page %j, of a list %i pages, sends at most two requests a minute during steady changes',
  async (shown, pages) => {
    const { refetcher, asked, timesOf } = await openPage(shown, pages)
    for (let passedMs = 0; passedMs < MINUTES_10; passedMs += 1_000) {
      refetcher.event('pools')
      await vi.advanceTimersByTimeAsync(1_000)
    }
    const requests = [...asked].reduce(
      (sum, [name, times]) => sum + times.length * (name === 'listBotTrades' ? pages : 1),
      0,
    )
    expect(requests).toBeLessThanOrEqual(20)
    expect(requests).toBeGreaterThanOrEqual(shown.length === 1 ? 9 : 14)
    for (const name of shown) expect(timesOf(name), 'all together').toEqual(timesOf(shown[0]))
  },
)

test('the first refetch after a quiet time starts at random within half a minute', async () => {
  const firsts: number[] = []
  for (let page = 0; page < 40; page += 1) {
    const { refetcher, timesOf } = await openPage(['getPortfolio'])
    await vi.advanceTimersByTimeAsync(3_600_000)
    refetcher.event('prices')
    await vi.advanceTimersByTimeAsync(31_000)
    firsts.push(...timesOf('getPortfolio').map((seconds) => seconds - 3_600))
  }
  expect(firsts).toHaveLength(40)
  expect(Math.min(...firsts)).toBeGreaterThanOrEqual(10)
  expect(Math.max(...firsts) - Math.min(...firsts)).toBeGreaterThan(5)
})

test('a query that is not on the screen is marked stale, and is not refetched', async () => {
  const { client, refetcher } = await openPage([])
  client.setQueryData(['getPortfolio'], {})
  refetcher.event('pools')
  expect(client.getQueryState(['getPortfolio'])).toMatchObject({
    isInvalidated: true,
    fetchStatus: 'idle',
  })
})

test('a paced refetch starts once the pace has passed since the last request', async () => {
  const { refetcher, timesOf } = await openPage(['getMarket'])
  for (let second = 0; second < 100; second += 1) {
    refetcher.paced('getMarket', 45_000)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(timesOf('getMarket')).toEqual([45, 90])
})
