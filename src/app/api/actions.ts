import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { RouteName } from '#contract/routes.ts'
import type { RequestOf, ResponseOf } from '#contract/schemas.ts'
import { forgetKeptTexts } from '#app/ui/device/kept-text.ts'
import { call } from './call.ts'
import { refetchAfterAction } from './events.ts'
import { useSendOnce } from './send-once.ts'

export type Body<Name extends RouteName> = RequestOf<Name>['body']

export const MONEY_MOVED: readonly RouteName[] = [
  'getUser',
  'getPortfolio',
  'listTransactions',
  'listWithdrawals',
  'getWithdrawalTerms',
]

export function useAction<Input, Output>(
  action: (input: Input) => Promise<Output>,
  changed: readonly RouteName[],
) {
  const client = useQueryClient()
  return useSendOnce({ mutationFn: action, onSuccess: () => refetchAfterAction(client, changed) })
}

/** The answer is the user, who is cached at once. Nothing of an earlier user stays in the cache. */
export function useEntry<Input>(action: (input: Input) => Promise<ResponseOf<'getUser'>>) {
  const client = useQueryClient()
  return useSendOnce({
    mutationFn: action,
    onSuccess: (user) => {
      forgetUser(client)
      client.setQueryData(['getUser'], user)
    },
  })
}

function forgetUser(client: QueryClient): void {
  forgetKeptTexts()
  client.removeQueries({
    predicate: ({ queryKey }) =>
      ![
        'getConfig',
        'getPrices',
        'getEvidence',
        'getEvidenceSummary',
        'getSampleBot',
        'getTrackRecord',
        'getUser',
      ].includes(String(queryKey[0])),
  })
}

export function useLogin() {
  return useEntry((body: Body<'login'>) => call('login', { body }))
}

export function useSignup() {
  return useEntry((body: Body<'signup'>) => call('signup', { body }))
}

/**
 * `leave` opens a screen that needs no user, in the rendering that forgets the user. Calls under
 * way are canceled, since they would be refused without the session; if the sign-out fails, they
 * are made again.
 */
export function useSignOut({ end, leave }: { end: () => Promise<unknown>; leave: () => void }) {
  const client = useQueryClient()
  return useSendOnce({
    mutationFn: end,
    onMutate: () => client.cancelQueries(),
    onError: () =>
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'runBacktest' }),
    onSuccess: () => {
      forgetUser(client)
      client.setQueryData(['getUser'], null)
      leave()
    },
  })
}

export function useLogout({ leave }: { leave: () => void }) {
  return useSignOut({ end: () => call('logout', {}), leave })
}

export type WithKey<Input> = { body: Input; idempotencyKey: string }

export function useCreateBot() {
  const client = useQueryClient()
  return useAction(async (request: WithKey<Body<'createBot'>>) => {
    const bot = await call('createBot', request)
    client.setQueryData(['createBot'], bot)
    return bot
  }, MONEY_MOVED)
}

export function useUpdateBot() {
  return useAction(
    ({ id, ...body }: { id: string } & Body<'updateBot'>) =>
      call('updateBot', { params: { id }, body }),
    ['getPortfolio', 'getBotPerformance'],
  )
}

export function useDeleteBot() {
  return useAction(
    (id: string) => call('deleteBot', { params: { id } }),
    [...MONEY_MOVED, 'getBotPerformance'],
  )
}

export function useTopUpBot() {
  return useAction(
    ({ id, ...request }: { id: string } & WithKey<Body<'topUpBot'>>) =>
      call('topUpBot', { params: { id }, ...request }),
    [...MONEY_MOVED, 'getBotPerformance'],
  )
}

export function useTakeOutOfBot() {
  return useAction(
    ({ id, ...request }: { id: string } & WithKey<Body<'takeOutOfBot'>>) =>
      call('takeOutOfBot', { params: { id }, ...request }),
    ['listBots', 'getBotPerformance'],
  )
}

export function useSimulateBot() {
  return useAction((id: string) => call('simulateBot', { params: { id } }), [])
}

export function useStopAll() {
  return useAction(() => call('stopAll', {}), MONEY_MOVED)
}
