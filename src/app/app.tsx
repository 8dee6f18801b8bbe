import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, useState } from 'react'
import { Router as Locations } from 'wouter'
import type { PageFacts } from '#contract/page-data.ts'
import { PageFactsContext } from '#app/ui/device/device-facts.ts'
import { changeScreens } from './change-screen.ts'
import { Router } from './router.tsx'

/**
 * The server has no address bar: `path` stands in for it, and `redirectTo` is set when the screen
 * redirects.
 */
type OnServer = { path: string; location: { redirectTo?: string } }

/**
 * The whole app. `page` is given where the server renders the app and where the browser hydrates
 * its markup.
 */
export function App({
  client,
  page,
  server,
}: {
  client: QueryClient
  page: PageFacts | undefined
  server?: OnServer
}) {
  const [aroundNav] = useState(() => changeScreens(() => Boolean(client.getQueryData(['getUser']))))
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <PageFactsContext value={page}>
          <Locations
            aroundNav={aroundNav}
            {...(server && { ssrPath: server.path, ssrContext: server.location })}
          >
            <Router />
          </Locations>
        </PageFactsContext>
      </QueryClientProvider>
    </StrictMode>
  )
}
