import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { Router as Locations } from 'wouter'
import { PageFactsContext, type PageFacts } from '#app/ui/device/device-facts.ts'
import { Router } from './router.tsx'

/** `path` is where the app stands, where there is no address bar to say it; `place` hears where it would rather stand. */
type OnServer = { path: string; place: { redirectTo?: string } }

/** The whole app. `page` is known where the server renders it, and where its markup comes to life. */
export function App({ client, page, server }: { client: QueryClient; page: PageFacts | undefined; server?: OnServer }) {
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <PageFactsContext value={page}>
          <Locations {...(server && { ssrPath: server.path, ssrContext: server.place })}>
            <Router />
          </Locations>
        </PageFactsContext>
      </QueryClientProvider>
    </StrictMode>
  )
}
