import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RouteName } from '#contract/routes.ts'
import { refetcherLater } from './refetch-later.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const MINUTES_10 = 600_000

/**
 * A page that shows these queries; `pages`: of a long list. Returns the times at which each was
 * refetched, in seconds.
 */
async function openPage(shown: readonly RouteName[], pages = 1) {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  })
  const startMs = Date.now()
  const asked = new Map<RouteName, number[]>(shown.map((name) => [name, []]))
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
  return { client, asked, timesOf: (name: RouteName) => asked.get(name) ?? [] }
}

test.each([
  [['getPortfolio'], 1],
  [['getBotPerformance', 'listBotTrades'], 1],
  [['getBotPerformance', 'listBotTrades'], 3],
  [['getBotPerformance', 'listBotTrades', 'getPortfolio'], 1],
] as const)(
  'page %j, of a list %i pages, asks at most twice a minute during steady changes',
  async (shown, pages) => {
    const { client, asked, timesOf } = await openPage(shown, pages)
    const refetchLater = refetcherLater(client, shown)
    for (let passedMs = 0; passedMs < MINUTES_10; passedMs += 1_000) {
      refetchLater(shown)
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

test('the first refetch after a quiet time comes at random within half a minute', async () => {
  const firsts: number[] = []
  for (let page = 0; page < 40; page += 1) {
    const { client, timesOf } = await openPage(['getPortfolio'])
    const refetchLater = refetcherLater(client, ['getPortfolio'])
    await vi.advanceTimersByTimeAsync(3_600_000)
    refetchLater(['getPortfolio'])
    await vi.advanceTimersByTimeAsync(31_000)
    firsts.push(...timesOf('getPortfolio').map((seconds) => seconds - 3_600))
  }
  expect(firsts).toHaveLength(40)
  expect(Math.min(...firsts)).toBeGreaterThanOrEqual(10)
  expect(Math.max(...firsts) - Math.min(...firsts)).toBeGreaterThan(5)
})

test('a query that is not on the screen is marked as stale and not refetched', async () => {
  const { client } = await openPage([])
  client.setQueryData(['getPortfolio'], {})
  refetcherLater(client, ['getPortfolio'])(['getPortfolio'])
  expect(client.getQueryState(['getPortfolio'])).toMatchObject({
    isInvalidated: true,
    fetchStatus: 'idle',
  })
})
