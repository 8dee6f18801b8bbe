import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { assert } from '#core/assert.ts'
import { seedFromPage } from './api/initial-data.ts'
import { newQueryClient } from './api/query-client.ts'
import { sendToLogin } from './auth/send-to-login.ts'
import { restoreIntoShell, startPwaAfterLoad } from './pwa/begin.ts'
import { catchInstallOffer } from './pwa/install-offer.ts'
import { Router } from './router.tsx'
import './ui/theme.css'

const root = document.getElementById('root')
assert(root, 'index.html has an element with the id root')

catchInstallOffer()
const client = newQueryClient({ onSignedOut: sendToLogin })
if (seedFromPage(client)) show(root)
else void restoreIntoShell(client).then(() => show(root))
startPwaAfterLoad(client)

function show(place: HTMLElement): void {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Router />
      </QueryClientProvider>
    </StrictMode>,
  )
}
