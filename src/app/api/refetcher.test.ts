import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openRefetcher } from './refetcher.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const COVERED = new Set(['getUser', 'getPortfolio'])

async function openScreen() {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  })
  const asked: string[] = []
  const show = (name: string) =>
    new QueryObserver(client, { queryKey: [name], queryFn: () => asked.push(name) }).subscribe(
      () => undefined,
    )
  for (const name of [...COVERED, 'listBots']) show(name)
  await vi.advanceTimersByTimeAsync(0)
  asked.length = 0
  const refetcher = openRefetcher(client, COVERED)
  const event = () => {
    for (const name of COVERED) refetcher.event(name, 5_000)
  }
  return {
    client,
    asked,
    show,
    event,
    passes: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    answer: () => [...COVERED, 'listBots'].forEach(refetcher.action),
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
    expect(screen.asked.toSorted()).toEqual(['getPortfolio', 'getUser', 'listBots'])
  },
)

test('a screen opened after a change has already refetched', async () => {
  const { client, asked, answer, event, show, passes } = await openScreen()
  event()
  answer()
  client.removeQueries({ queryKey: ['getUser'] })
  show('getUser')
  await passes(10_000)
  expect(asked.toSorted()).toEqual(['getPortfolio', 'getUser', 'listBots'])
})

test('a change after a fetch has begun is fetched again', async () => {
  const { asked, event, passes } = await openScreen()
  event()
  await passes(60)
  event()
  await passes(10_000)
  expect(asked.toSorted()).toEqual(['getPortfolio', 'getPortfolio', 'getUser', 'getUser'])
})
