import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import type { Portfolio } from '#contract/market.ts'
import type { RouteName } from '#contract/routes.ts'
import type { RequestOf, ResponseOf } from '#contract/schemas.ts'
import type { Balances } from '#contract/wire.ts'
import { call, isSignedOut } from './call.ts'

export type Body<Name extends RouteName> = RequestOf<Name>['body']
export type Range = ResponseOf<'getPortfolio'>['range']
export type TransactionType = ResponseOf<'listTransactions'>['items'][number]['type']
export type BacktestConfig = Body<'runBacktest'>

/** Who is signed in: null for nobody, undefined while we ask. */
export function useUser() {
  return useQuery({
    queryKey: ['getUser'],
    queryFn: async ({ signal, client, queryKey }): Promise<ResponseOf<'getUser'> | null> => {
      try {
        const user = await call('getUser', { signal })
        forgetPortfoliosBefore(client, user)
        return user
      } catch (error) {
        // Whoever was signed in until now is told, and sent to the login; whoever was not is nobody.
        if (isSignedOut(error) && !client.getQueryData(queryKey)) return null
        throw error
      }
    },
  })
}

export function useConfig() {
  return useQuery({ queryKey: ['getConfig'], queryFn: ({ signal }) => call('getConfig', { signal }) })
}

export function usePrices() {
  return useQuery({ queryKey: ['getPrices'], queryFn: ({ signal }) => call('getPrices', { signal }) })
}

/**
 * Everything the user owns, in one answer: whatever stands beside it on a screen is taken from it too. One range is kept at a time, or
 * another would bring back an older balance; until its own answer comes, a range shows the one that is there, all of it.
 */
export function usePortfolio(range: Range) {
  const client = useQueryClient()
  return useQuery<Portfolio>({
    queryKey: ['getPortfolio', range],
    queryFn: async ({ signal }) => {
      const portfolio = await call('getPortfolio', { query: { range }, signal })
      client.removeQueries({ queryKey: ['getPortfolio'], type: 'inactive' })
      return portfolio
    },
    placeholderData: (before) => before ?? knownPortfolio(client),
  })
}

export type PortfolioResult = ReturnType<typeof usePortfolio>

/** Undefined while there is none, and where it could not be loaded: the screen says that instead. */
export function shownPortfolio({ isError, data }: PortfolioResult): Portfolio | undefined {
  return isError ? undefined : data
}

function knownPortfolio(client: QueryClient): Portfolio | undefined {
  return client.getQueriesData<Portfolio>({ queryKey: ['getPortfolio'] }).find(([, portfolio]) => portfolio !== undefined)?.[1]
}

/** Money came in or left while another screen was open: the balance from before it is not shown again, not even for a moment. */
function forgetPortfoliosBefore(client: QueryClient, user: Balances): void {
  const isBefore = ({ state }: Query) => cashOf(state.data as Portfolio | undefined) !== cashOf(user)
  client.removeQueries({ queryKey: ['getPortfolio'], type: 'inactive', predicate: isBefore })
}

function cashOf(balances: Balances | undefined): string {
  return `${balances?.availableBalance} and ${balances?.heldBalance}`
}

/** Each question waits some seconds for what is being computed; after so many the screen says so and leaves the next to the user. */
const EVIDENCE_QUESTIONS = 10

/** What the risk levels would have given. */
export function useEvidence() {
  return useQuery({
    queryKey: ['getEvidence'],
    queryFn: async ({ signal }) => {
      let evidence = await call('getEvidence', { signal })
      for (let asked = 1; evidence.state === 'computing' && asked < EVIDENCE_QUESTIONS; asked += 1) evidence = await call('getEvidence', { signal })
      return evidence
    },
  })
}

export function useSampleBot() {
  return useQuery({ queryKey: ['getSampleBot'], queryFn: ({ signal }) => call('getSampleBot', { signal }) })
}

export function useBotPerformance(id: string) {
  return useQuery({ queryKey: ['getBotPerformance', id], queryFn: ({ signal }) => call('getBotPerformance', { params: { id }, signal }) })
}

const firstPage = { initialPageParam: undefined, getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined }

export function useBotTrades(id: string) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['listBotTrades', id],
      queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) =>
        call('listBotTrades', { params: { id }, query: { cursor: pageParam }, signal }),
      ...firstPage,
    }),
  )
}

export function useTransactions(type: TransactionType | undefined) {
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['listTransactions', type ?? 'all'],
      queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) =>
        call('listTransactions', { query: { type, cursor: pageParam }, signal }),
      ...firstPage,
    }),
  )
}

export function useTransactionReceipt(id: string) {
  return useQuery({ queryKey: ['getTransaction', id], queryFn: ({ signal }) => call('getTransaction', { params: { id }, signal }) })
}

export function useHelpArticle(id: string) {
  return useQuery({ queryKey: ['getHelpArticle', id], queryFn: ({ signal }) => call('getHelpArticle', { query: { id }, signal }) })
}

/** What the configuration being typed would have done in the past. Asked only where `config` is complete. */
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

/** What is asked again after money moved. */
export const MONEY_MOVED: readonly RouteName[] = ['getUser', 'getPortfolio', 'listTransactions', 'listWithdrawals', 'getWithdrawalTerms']

/** A mutation after which `changed` is asked again. */
export function useAction<Input, Output>(action: (input: Input) => Promise<Output>, changed: readonly RouteName[]) {
  const client = useQueryClient()
  return useMutation({ mutationFn: action, onSuccess: () => void refresh(client, changed) })
}

/** Login and signup answer with the user: known at once, and nothing of whoever was here before stays. */
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

/** Everything but what is the same for all. */
function forgetUser(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => !['getConfig', 'getPrices', 'getEvidence', 'getSampleBot', 'getUser'].includes(String(queryKey[0])) })
}

export function useLogin() {
  return useEntry((body: Body<'login'>) => call('login', { body }))
}

export function useSignup() {
  return useEntry((body: Body<'signup'>) => call('signup', { body }))
}

/** `beforeForgetting` leaves the screen that only a signed-in user may see, before nobody is signed in. */
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

/** No money moves yet: it is told when it does. */
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
