import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { assert } from '#core/assert.ts'
import type { PageFacts } from '#app/ui/device/device-facts.ts'
import { seedFromPage } from './api/initial-data.ts'
import { newQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { sendToLogin } from './auth/send-to-login.ts'
import { restoreIntoShell, startPwaAfterLoad } from './pwa/begin.ts'
import { catchInstallOffer } from './pwa/install-offer.ts'
import { fetchScreen } from './router.tsx'
import './ui/theme.css'

const root = document.getElementById('root')
assert(root, 'index.html has an element with the id root')

catchInstallOffer()
const client = newQueryClient({ onSignedOut: sendToLogin })
const data = seedFromPage(client)
// What changes a screen whose code is not there yet would throw its markup away.
if (data) void fetchScreen(location.pathname, client.getQueryData(['getUser'])).finally(() => show(root, data.page))
else void restoreIntoShell(client).then(() => show(root))
startPwaAfterLoad(client)

function show(place: HTMLElement, page?: PageFacts): void {
  const app = <App client={client} page={page} />
  // The server's markup comes to life where it stands, in pieces: whoever touches it meanwhile is not kept waiting.
  if (place.hasChildNodes()) startTransition(() => void hydrateRoot(place, app))
  else createRoot(place).render(app)
}
