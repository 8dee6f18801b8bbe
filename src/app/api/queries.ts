import { useQuery } from '@tanstack/react-query'
import type { InputOf, KeyOf } from '#contract/query-key.ts'
import type { CallName } from '#contract/routes.ts'
import type { ResponseOf } from '#contract/schemas.ts'
import { call, isSignedOut } from './call.ts'
import { forgetPortfoliosBefore } from './portfolio.ts'

export function useAnswer<Name extends CallName>(
  queryKey: KeyOf<Name>,
  input: InputOf<Name>,
  options: { refetchOnMount?: 'always' } = {},
) {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call(queryKey[0], { ...input, signal }),
    ...options,
  })
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
        // A session that ended throws, so that its user is notified and sent to the login. Without
        // an earlier user, nobody is signed in.
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

export function useSampleBot() {
  return useAnswer(['getSampleBot'], {})
}

export function useTransactionReceipt(id: string) {
  return useAnswer(['getTransaction', id], { params: { id } })
}

export function useHelpArticle(id: string) {
  return useAnswer(['getHelpArticle', id], { query: { id } })
}
