import { skipToken, useQuery } from '@tanstack/react-query'
import type { Bot } from '#contract/bots.ts'
import type { PortfolioResult } from '#app/api/queries.ts'

/**
 * Whether a bot was created after the portfolio that is shown: its row is still to come, together
 * with the balance that it left.
 */
export function useAwaitedBot({ data, dataUpdatedAt }: PortfolioResult): boolean {
  const created = useQuery<Bot>({ queryKey: ['createBot'], queryFn: skipToken })
  return (
    created.data !== undefined &&
    created.dataUpdatedAt > dataUpdatedAt &&
    !data?.bots.some(({ id }) => id === created.data.id)
  )
}
