import { useQuery } from '@tanstack/react-query'
import type { QueryKey } from '#contract/query-key.ts'
import type { RequestOf } from '#contract/schemas.ts'
import { call } from '#app/api/call.ts'
import { useAnswer } from '#app/api/queries.ts'

export type BacktestConfig = RequestOf<'runBacktest'>['body']

export function useBotPerformance(id: string) {
  return useAnswer(['getBotPerformance', id], { params: { id } })
}

/** `other`: a risk level or a bot's id. While another comparison loads, the last one stays. */
export function useComparison(id: string, other: string | undefined) {
  return useQuery({
    queryKey: ['compareBot', id, other ?? ''] satisfies QueryKey,
    queryFn: ({ signal }) => call('compareBot', { params: { id }, query: { with: other }, signal }),
    placeholderData: (before) => before,
  })
}

/** Backtests the configuration that the user is entering. Runs only once `config` is complete. */
export function useBacktest(config: BacktestConfig | undefined) {
  return useQuery({
    queryKey: ['runBacktest', config],
    queryFn: ({ signal }) => (config ? call('runBacktest', { body: config, signal }) : Promise.reject(new Error('no configuration'))),
    enabled: config !== undefined,
    gcTime: 60_000,
  })
}
