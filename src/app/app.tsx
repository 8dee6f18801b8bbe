import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { Router as Locations } from 'wouter'
import type { PageFacts } from '#contract/page-data.ts'
import { PageFactsContext } from '#app/ui/device/device-facts.ts'
import { Router } from './router.tsx'

/** The server has no address bar: `path` stands in for it, and `redirectTo` is set when the screen redirects. */
type OnServer = { path: string; location: { redirectTo?: string } }

/** The whole app. `page` is given where the server renders the app and where the browser hydrates its markup. */
export function App({ client, page, server }: { client: QueryClient; page: PageFacts | undefined; server?: OnServer }) {
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <PageFactsContext value={page}>
          <Locations {...(server && { ssrPath: server.path, ssrContext: server.location })}>
            <Router />
          </Locations>
        </PageFactsContext>
      </QueryClientProvider>
    </StrictMode>
  )
}
