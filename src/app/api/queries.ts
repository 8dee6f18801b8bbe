import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Portfolio } from '#contract/market.ts'
import type { InputOf, KeyOf, QueryKey } from '#contract/query-key.ts'
import type { CallName } from '#contract/routes.ts'
import type { RequestOf, ResponseOf } from '#contract/schemas.ts'
import type { Balances } from '#contract/wire.ts'
import { call, isSignedOut } from './call.ts'

export type Range = ResponseOf<'getPortfolio'>['range']
export type BacktestConfig = RequestOf<'runBacktest'>['body']

/** The answer to a call that reads. */
export function useAnswer<Name extends CallName>(queryKey: KeyOf<Name>, input: InputOf<Name>, options: { refetchOnMount?: 'always' } = {}) {
  return useQuery({ queryKey, queryFn: ({ signal }) => call(queryKey[0], { ...input, signal }), ...options })
}

/** The signed-in user: null if nobody is signed in, undefined until the server has answered. */
export function useUser() {
  return useQuery({
    queryKey: ['getUser'],
    queryFn: async ({ signal, client, queryKey }): Promise<ResponseOf<'getUser'> | null> => {
      try {
        const user = await call('getUser', { signal })
        forgetPortfoliosBefore(client, user)
        return user
      } catch (error) {
        // A session that ended throws, so that its user is notified and sent to the login. Without an earlier user, nobody is signed in.
        if (isSignedOut(error) && !client.getQueryData(queryKey)) return null
        throw error
      }
    },
  })
}

export function useConfig() {
  return useAnswer(['getConfig'], {})
}

export function usePrices() {
  return useAnswer(['getPrices'], {})
}

/**
 * Everything the user owns, in one answer: the other figures on a screen that shows it come from it too. Only one range is cached at a time,
 * since another could bring back an older balance. Until the answer for a new range arrives, all of the cached one is shown.
 */
export function usePortfolio(range: Range) {
  const client = useQueryClient()
  return useQuery<Portfolio>({
    queryKey: ['getPortfolio', range] satisfies QueryKey,
    queryFn: async ({ signal }) => {
      const portfolio = await call('getPortfolio', { query: { range }, signal })
      client.removeQueries({ queryKey: ['getPortfolio'], type: 'inactive' })
      return portfolio
    },
    placeholderData: (before) => before ?? knownPortfolio(client),
  })
}

export type PortfolioResult = ReturnType<typeof usePortfolio>

/** Undefined while there is none, and after an error, which the screen shows instead. */
export function shownPortfolio({ isError, data }: PortfolioResult): Portfolio | undefined {
  return isError ? undefined : data
}

function knownPortfolio(client: QueryClient): Portfolio | undefined {
  return client.getQueriesData<Portfolio>({ queryKey: ['getPortfolio'] }).find(([, portfolio]) => portfolio !== undefined)?.[1]
}

/** Drops portfolios from before money moved on another screen: their old balance must not flash up again. */
function forgetPortfoliosBefore(client: QueryClient, user: Balances): void {
  client.removeQueries({
    queryKey: ['getPortfolio'],
    type: 'inactive',
    predicate: ({ state }) => cashOf(state.data as Portfolio | undefined) !== cashOf(user),
  })
}

function cashOf(balances: Balances | undefined): string {
  return `${balances?.availableBalance} and ${balances?.heldBalance}`
}

/** While evidence is being computed, the server holds each call for some seconds. After this many the screen lets the user retry. */
const EVIDENCE_CALLS = 10

/** Past outcomes of the risk levels; hypothetical. */
export function useEvidence() {
  return useQuery({ queryKey: ['getEvidence'] satisfies QueryKey, queryFn: ({ signal }) => onceComputed(() => call('getEvidence', { signal })) })
}

/** The figures of the evidence that stand beside a claim of returns. */
export function useEvidenceSummary() {
  return useQuery({ queryKey: ['getEvidenceSummary'] satisfies QueryKey, queryFn: ({ signal }) => onceComputed(() => call('getEvidenceSummary', { signal })) })
}

async function onceComputed<Answer extends { state: string }>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask()
  for (let calls = 1; answer.state === 'computing' && calls < EVIDENCE_CALLS; calls += 1) answer = await ask()
  return answer
}

export function useSampleBot() {
  return useAnswer(['getSampleBot'], {})
}

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

export function useTransactionReceipt(id: string) {
  return useAnswer(['getTransaction', id], { params: { id } })
}

export function useHelpArticle(id: string) {
  return useAnswer(['getHelpArticle', id], { query: { id } })
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
