import { useQuery } from '@tanstack/react-query'
import type { QueryKey } from '#contract/query-key.ts'
import type { RequestOf } from '#contract/calls.ts'
import { call } from '#app/api/call.ts'
import { onceComputed } from '#app/evidence/evidence-queries.ts'
import { useAnswer } from '#app/api/queries.ts'

export type BacktestConfig = RequestOf<'runBacktest'>['body']

export function useBotPerformance(id: string) {
  return useAnswer(['getBotPerformance', id], { params: { id } })
}

export function useComparison(id: string, other: string | undefined) {
  return useQuery({
    queryKey: ['compareBot', id, other ?? ''] satisfies QueryKey,
    queryFn: ({ signal }) =>
      onceComputed(() => call('compareBot', { params: { id }, query: { with: other }, signal })),
    placeholderData: (before) => before,
  })
}

/**
 * The outcomes of the strategy and coins that the user is entering; hypothetical. Runs only with a
 * coin. Kept under the name of backtests, which stay as they are when other figures are fetched
 * again.
 */
export function useBotEvidence(bot: RequestOf<'runBotEvidence'>['body']) {
  return useQuery({
    queryKey: ['runBacktest', 'outcomes', bot],
    queryFn: ({ signal }) => onceComputed(() => call('runBotEvidence', { body: bot, signal })),
    enabled: bot.tradingPairs.length > 0,
    gcTime: 60_000,
  })
}

/** Backtests the configuration that the user is entering. Runs only once `config` is complete. */
export function useBacktest(config: BacktestConfig | undefined) {
  return useQuery({
    queryKey: ['runBacktest', config],
    queryFn: ({ signal }) =>
      config
        ? onceComputed(() => call('runBacktest', { body: config, signal }))
        : Promise.reject(new Error('no configuration')),
    enabled: config !== undefined,
    gcTime: 60_000,
  })
}
