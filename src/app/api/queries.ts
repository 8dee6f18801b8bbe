import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { InputOf, KeyOf } from '#contract/query-key.ts'
import type { ResponseOf } from '#contract/calls.ts'
import { call, isSignedOut } from './call.ts'
import type { Read } from './freshness.ts'
import { forgetPortfolioBefore } from './portfolio.ts'

export function useAnswer<Name extends Read>(
  queryKey: KeyOf<Name>,
  input: InputOf<Name>,
  refetchOnMount: 'always' | true = true,
) {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call(queryKey[0], { ...input, signal }),
    refetchOnMount,
  })
}

/** The signed-in user: null if nobody is signed in, undefined until the server has answered. */
export function useUser() {
  return useQuery({
    queryKey: ['getUser'],
    queryFn: async ({ signal, client, queryKey }): Promise<ResponseOf<'getUser'> | null> => {
      try {
        const user = await call('getUser', { signal })
        forgetPortfolioBefore(client, user)
        return user
      } catch (error) {
        // If a user was signed in, the session ended: throws, so that the user is notified and sent
        // to the login. Otherwise nobody was signed in.
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

/** Fetches the closes of these coins' charts if the page was sent without them. */
export function useCloses(symbols: readonly string[]): void {
  const { data, refetch } = usePrices()
  const isLacking = symbols.some((symbol) => data?.[symbol]?.trace.length === 0)
  useEffect(() => {
    if (isLacking) void refetch()
  }, [isLacking, refetch])
}

/** Everything the user owns: one answer for all screens. */
export function usePortfolio() {
  return useAnswer(['getPortfolio'], {})
}
