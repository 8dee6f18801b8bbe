import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { RouteName } from '#contract/routes.ts'
import type { RequestOf, ResponseOf } from '#contract/calls.ts'
import { forgetKeptTexts } from '#app/ui/device/kept-text.ts'
import { ACTIONS, type ActingName } from './actions-table.ts'
import { refetchAfter } from './events.ts'
import { useSendOnce } from './send-once.ts'

export type Body<Name extends RouteName> = RequestOf<Name>['body']

/**
 * A mutation that, once it has succeeded, refetches the queries listed for `name` in
 * `actions-table.ts`.
 */
export function useAction<Input, Output>(
  name: ActingName,
  action: (input: Input) => Promise<Output>,
) {
  return useSendOnce({ mutationFn: action, onSuccess: () => refetchAfter(ACTIONS[name].changes) })
}

/**
 * A mutation that signs in. Caches its answer, the user, at once, and removes everything of an
 * earlier user.
 */
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
        'getStrategyNow',
        'getTrackRecord',
        'getUser',
      ].includes(String(queryKey[0])),
  })
}

/**
 * `leave`: opens a screen that needs no user, in the same render that removes the user. Cancels
 * calls under way, because they would be refused without the session; if the sign-out fails,
 * repeats them.
 */
export function useSignOut({ end, leave }: { end: () => Promise<unknown>; leave: () => void }) {
  const client = useQueryClient()
  return useSendOnce({
    mutationFn: end,
    onMutate: () => client.cancelQueries(),
    onError: () => void client.invalidateQueries(),
    onSuccess: () => {
      forgetUser(client)
      client.setQueryData(['getUser'], null)
      leave()
    },
  })
}

export type WithKey<Input> = { body: Input; idempotencyKey: string }
