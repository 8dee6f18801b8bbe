import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { QueryKey } from '#contract/query-key.ts'
import type { RequestOf } from '#contract/calls.ts'
import { useAction, type Body, type WithKey } from '#app/api/actions.ts'
import type { Pair } from '#core/market/pair.ts'
import { strategyKey, type StrategyChoice } from '#core/strategy/strategy-key.ts'
import { call } from '#app/api/call.ts'
import { onceComputed } from '#app/evidence/evidence-queries.ts'
import { useAnswer } from '#app/api/queries.ts'
import { sentChoice, type EnteredBot } from './bot-draft.ts'

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

/** Whether `entered` has not changed for a moment, so that it is worth a computation. */
function useSettled(entered: unknown): boolean {
  const text = JSON.stringify(entered)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 600)
    return () => clearTimeout(timer)
  }, [text])
  return settled === text
}

/**
 * The hypothetical outcomes of the strategy and coins that the user is entering. Runs only with a
 * coin.
 */
export function useBotEvidence({ strategy, riskLevel, tradingPairs }: EnteredBot) {
  const bot = { ...sentChoice({ strategy, riskLevel }), tradingPairs: [...tradingPairs] }
  const isSettled = useSettled(bot)
  return useQuery({
    queryKey: ['runBotEvidence', bot],
    queryFn: ({ signal }) => onceComputed(() => call('runBotEvidence', { body: bot, signal })),
    enabled: isSettled && tradingPairs.length > 0,
    gcTime: 60_000,
    // A result computed for an input does not change.
    staleTime: 'static',
  })
}

/** The next day of a bot that is being entered. Runs only with a coin, and again on each visit. */
export function useBotForecast({
  tradingPairs,
  ...choice
}: StrategyChoice & { tradingPairs: readonly Pair[] }) {
  const query = { strategy: strategyKey(choice), pairs: tradingPairs.join(',') }
  return useQuery({
    queryKey: ['getBotForecast', query.strategy, query.pairs] satisfies QueryKey,
    queryFn: ({ signal }) => call('getBotForecast', { query, signal }),
    refetchOnMount: 'always',
    enabled: tradingPairs.length > 0,
  })
}

/** Backtests the configuration that the user is entering. Runs only once `config` is complete. */
export function useBacktest(config: BacktestConfig | undefined) {
  const isSettled = useSettled(config)
  return useQuery({
    queryKey: ['runBacktest', config],
    queryFn: ({ signal }) =>
      config
        ? onceComputed(() => call('runBacktest', { body: config, signal }))
        : Promise.reject(new Error('no configuration')),
    enabled: isSettled && config !== undefined,
    gcTime: 60_000,
    // A result computed for an input does not change.
    staleTime: 'static',
  })
}

export function useUpdateBot() {
  return useAction('updateBot', ({ id, ...body }: { id: string } & Body<'updateBot'>) =>
    call('updateBot', { params: { id }, body }),
  )
}

export function useDeleteBot() {
  return useAction('deleteBot', (id: string) => call('deleteBot', { params: { id } }))
}

export function useTopUpBot() {
  return useAction('topUpBot', ({ id, ...request }: { id: string } & WithKey<Body<'topUpBot'>>) =>
    call('topUpBot', { params: { id }, ...request }),
  )
}

export function useTakeOutOfBot() {
  return useAction(
    'takeOutOfBot',
    ({ id, ...request }: { id: string } & WithKey<Body<'takeOutOfBot'>>) =>
      call('takeOutOfBot', { params: { id }, ...request }),
  )
}

export function useSimulateBot() {
  return useAction('simulateBot', (id: string) => call('simulateBot', { params: { id } }))
}

export function useStopAll() {
  return useAction('stopAll', () => call('stopAll', {}))
}

/**
 * Refetches nothing else: a plan that starts now moves money a moment later, which sends an event.
 */
export function useSetPlan() {
  return useAction('setPlan', ({ id, ...request }: { id: string } & WithKey<Body<'setPlan'>>) =>
    call('setPlan', { params: { id }, ...request }),
  )
}

export function useEndPlan() {
  return useAction('endPlan', (id: string) => call('endPlan', { params: { id } }))
}
