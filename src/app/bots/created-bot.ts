import { skipToken, useQuery, type QueryClient } from '@tanstack/react-query'
import type { Bot } from '#contract/bots.ts'
import type { PortfolioResult } from '#app/api/portfolio.ts'

/** The bot that this page created last; no call refetches it. */
const CREATED_BOT = ['createBot']

export function keepCreatedBot(client: QueryClient, bot: Bot): void {
  client.setQueryData(CREATED_BOT, bot)
}

/**
 * Whether a bot was created after the shown portfolio was read. Its row then appears later,
 * together with the reduced balance.
 */
export function useAwaitedBot({ data, dataUpdatedAt }: PortfolioResult): boolean {
  const created = useQuery<Bot>({ queryKey: CREATED_BOT, queryFn: skipToken })
  return (
    created.data !== undefined &&
    created.dataUpdatedAt > dataUpdatedAt &&
    !data?.bots.some(({ id }) => id === created.data.id)
  )
}
