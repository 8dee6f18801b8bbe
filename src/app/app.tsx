import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { Router as Locations } from 'wouter'
import { Router } from './router.tsx'

/** The whole app. `path` says where it stands where there is no address bar: on the server. */
export function App({ client, path }: { client: QueryClient; path?: string }) {
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <Locations {...(path !== undefined && { ssrPath: path })}>
          <Router />
        </Locations>
      </QueryClientProvider>
    </StrictMode>
  )
}
