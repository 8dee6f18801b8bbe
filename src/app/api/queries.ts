import { useInfiniteQuery, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Portfolio } from '#contract/market.ts'
import type { InputOf, KeyOf, QueryKey } from '#contract/query-key.ts'
import type { CallName, RouteName } from '#contract/routes.ts'
import type { RequestOf, ResponseOf } from '#contract/schemas.ts'
import type { Balances } from '#contract/wire.ts'
import { forgetKeptTexts } from '#app/ui/device/kept-text.ts'
import { call, isSignedOut } from './call.ts'
import { forgetDrafts } from './drafts.ts'

export type Body<Name extends RouteName> = RequestOf<Name>['body']
export type Range = ResponseOf<'getPortfolio'>['range']
export type BacktestConfig = Body<'runBacktest'>

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
  return useQuery({
    queryKey: ['getEvidence'] satisfies QueryKey,
    queryFn: async ({ signal }) => {
      let evidence = await call('getEvidence', { signal })
      for (let calls = 1; evidence.state === 'computing' && calls < EVIDENCE_CALLS; calls += 1) evidence = await call('getEvidence', { signal })
      return evidence
    },
  })
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

type ReadPage<Page> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page>

/** A long list, one page after the other. */
function usePages<Page extends { nextCursor: string | null }>(queryKey: QueryKey, read: ReadPage<Page>) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) => read(pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

export function useBotTrades(id: string) {
  return usePages(['listBotTrades', id], (cursor, signal) => call('listBotTrades', { params: { id }, query: { cursor }, signal }))
}

/** `filters` tells lists apart; `query` is what it stands for. */
export function useTransactions(filters: string, query: RequestOf<'listTransactions'>['query']) {
  return usePages(['listTransactions', filters], (cursor, signal) => call('listTransactions', { query: { ...query, cursor }, signal }))
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
    placeholderData: (before) => before,
    gcTime: 60_000,
  })
}

function refresh(client: QueryClient, names: readonly RouteName[]): Promise<unknown> {
  return Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
}

/** Queries to refetch after money moved. */
export const MONEY_MOVED: readonly RouteName[] = ['getUser', 'getPortfolio', 'listTransactions', 'listWithdrawals', 'getWithdrawalTerms']

/** A mutation that refetches `changed` when it succeeds. */
export function useAction<Input, Output>(action: (input: Input) => Promise<Output>, changed: readonly RouteName[]) {
  const client = useQueryClient()
  return useMutation({ mutationFn: action, onSuccess: () => void refresh(client, changed) })
}

/** Login and signup return the user, who is cached at once. Nothing of an earlier user stays in the cache. */
function useEntry<Input>(action: (input: Input) => Promise<ResponseOf<'getUser'>>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: action,
    onSuccess: (user) => {
      forgetUser(client)
      client.setQueryData(['getUser'], user)
    },
  })
}

/** Drops what was kept, and everything but the user and the answers that are the same for everyone. */
function forgetUser(client: QueryClient): void {
  forgetKeptTexts()
  forgetDrafts()
  client.removeQueries({ predicate: ({ queryKey }) => !['getConfig', 'getPrices', 'getEvidence', 'getSampleBot', 'getUser'].includes(String(queryKey[0])) })
}

export function useLogin() {
  return useEntry((body: Body<'login'>) => call('login', { body }))
}

export function useSignup() {
  return useEntry((body: Body<'signup'>) => call('signup', { body }))
}

/** `beforeForgetting` leaves the protected screen while the user is still cached. */
export function useLogout({ beforeForgetting }: { beforeForgetting: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('logout', {}),
    onSuccess: () => {
      beforeForgetting()
      forgetUser(client)
      client.setQueryData(['getUser'], null)
    },
  })
}

export type WithKey<Input> = { body: Input; idempotencyKey: string }

export function useCreateBot() {
  return useAction((request: WithKey<Body<'createBot'>>) => call('createBot', request), MONEY_MOVED)
}

export function useUpdateBot() {
  return useAction(
    ({ id, ...body }: { id: string } & Body<'updateBot'>) => call('updateBot', { params: { id }, body }),
    ['getPortfolio', 'getBotPerformance'],
  )
}

export function useDeleteBot() {
  return useAction((id: string) => call('deleteBot', { params: { id } }), [...MONEY_MOVED, 'getBotPerformance'])
}

export function useTopUpBot() {
  return useAction(
    ({ id, ...request }: { id: string } & WithKey<Body<'topUpBot'>>) => call('topUpBot', { params: { id }, ...request }),
    [...MONEY_MOVED, 'getBotPerformance'],
  )
}

/** Only requests the take-out: an event follows when the money moves. */
export function useTakeOutOfBot() {
  return useAction(
    ({ id, ...request }: { id: string } & WithKey<Body<'takeOutOfBot'>>) => call('takeOutOfBot', { params: { id }, ...request }),
    ['listBots', 'getBotPerformance'],
  )
}

export function useSimulateBot() {
  return useAction((id: string) => call('simulateBot', { params: { id } }), [])
}

export function useStopAll() {
  return useAction(() => call('stopAll', {}), MONEY_MOVED)
}
