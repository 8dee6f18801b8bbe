import type { QueryClient } from '@tanstack/react-query'
import { EVENT_NAMES, type EventName } from '#contract/events.ts'
import { plainRoutes, type RouteName } from '#contract/routes.ts'

/** What each event makes old. `prices` brings its own data. */
const CHANGED: Record<EventName, readonly RouteName[]> = {
  prices: [],
  balance: ['getUser', 'getPortfolio'],
  bots: ['listBots', 'getBotPerformance', 'listBotTrades'],
  transactions: ['listTransactions', 'getTransaction'],
  withdrawals: ['listWithdrawals', 'getUser'],
}

/** Listens to the server for as long as someone is signed in. Returns the way to stop. */
export function listenToEvents(client: QueryClient): () => void {
  const source = new EventSource(plainRoutes.events)
  let interrupted = false
  source.addEventListener('error', () => {
    interrupted = true
  })
  source.addEventListener('open', () => {
    // Whatever happened while the line was down was not told: everything is asked again.
    if (interrupted) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'runBacktest' })
    interrupted = false
  })
  for (const name of EVENT_NAMES) source.addEventListener(name, ({ data }: MessageEvent<string>) => take(client, { name, data }))
  return () => source.close()
}

function take(client: QueryClient, { name, data }: { name: EventName; data: string }): void {
  if (name === 'prices') client.setQueryData(['getPrices'], JSON.parse(data))
  for (const route of CHANGED[name]) void client.invalidateQueries({ queryKey: [route] })
}
