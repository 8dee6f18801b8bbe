import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { PageData } from '#contract/page-data.ts'
import { noteAnswer } from './answer-times.ts'
import { ApiError, call, isSignedOut } from './call.ts'

/** Data never goes stale by itself: the server's events determine what is refetched. */
export function newQueryClient({ onSignedOut }: { onSignedOut: () => void }): QueryClient {
  const onError = (error: unknown) => {
    // The server's message is only logged: the screen shows the user what to do.
    if (error instanceof ApiError) console.warn(error.logMessage)
    // Calls from before a sign-out may be refused after it; then there is no session to end.
    if (isSignedOut(error) && client.getQueryData(['getUser']) !== null)
      confirming ??= confirm().finally(() => (confirming = undefined))
  }
  let confirming: Promise<void> | undefined
  // A new password starts a new session. Calls under way with the old session are refused, but
  // succeed when repeated.
  const confirm = async () => {
    await untilMutationsEnded(client)
    const isSignedIn = await call('getUser', {}).then(Boolean, () => false)
    if (isSignedIn) await client.invalidateQueries()
    else onSignedOut()
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: (_answer, query) => noteAnswer(query) }),
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
  return client
}

function untilMutationsEnded(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const resolveIfEnded = () => {
      if (client.isMutating() > 0) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = client.getMutationCache().subscribe(resolveIfEnded)
    resolveIfEnded()
  })
}

/**
 * Fills the cache with the answers in the page, which saves the first screen a round trip.
 * Undefined if the page carries no data.
 */
export function seedFromPage(client: QueryClient): PageData | undefined {
  const element = document.getElementById('initial-data')
  const text = element?.textContent
  if (!text) return undefined
  // Threat: after a sign-out, the next person at this device could read the data in the page.
  element.remove()
  const data: PageData = JSON.parse(text)
  seedFrom(client, data)
  return data
}

export function seedFrom(client: QueryClient, { page: _page, ...answers }: PageData): void {
  for (const [key, answer] of Object.entries(answers))
    client.setQueryData(
      key.split('/'),
      isListPage(answer) ? { pages: [answer], pageParams: [undefined] } : answer,
    )
}

function isListPage(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'nextCursor' in answer
}
