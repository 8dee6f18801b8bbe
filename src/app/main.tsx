import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { assert } from '#core/assert.ts'
import { seedFromPage } from './api/initial-data.ts'
import { newQueryClient } from './api/query-client.ts'
import { sendToLogin } from './auth/send-to-login.ts'
import { Router } from './router.tsx'
import './ui/theme.css'

const client = newQueryClient({ onSignedOut: sendToLogin })
seedFromPage(client)

const root = document.getElementById('root')
assert(root, 'index.html has an element with the id root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Router />
    </QueryClientProvider>
  </StrictMode>,
)
