import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isSignedOut } from './call.ts'

/** Data never goes stale by itself: the server's events say what to ask again. Nothing polls, nothing is asked twice. */
export function newQueryClient({ onSignedOut }: { onSignedOut: () => void }): QueryClient {
  const onError = (error: unknown) => {
    // The screen says what people can do about it; what the server said word for word is for who looks for the cause.
    if (error instanceof ApiError) console.warn(error.logMessage)
    if (isSignedOut(error)) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: Infinity,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
