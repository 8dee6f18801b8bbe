import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, useState } from 'react'
import type { PageFacts } from '#contract/page-data.ts'
import { PageFactsContext } from '#app/ui/device/device-facts.ts'
import { AddressContext, type ServedPage } from '#app/ui/frame/address.ts'
import { changeScreens } from './change-screen.ts'
import { Router } from './router.tsx'

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
  server?: ServedPage
}) {
  const [address] = useState(() => ({
    navigate: changeScreens(() => Boolean(client.getQueryData(['getUser']))),
    ...(server && { page: server }),
  }))
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <PageFactsContext value={page}>
          <AddressContext value={address}>
            <Router />
          </AddressContext>
        </PageFactsContext>
      </QueryClientProvider>
    </StrictMode>
  )
}
