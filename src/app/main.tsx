import { createRoot, hydrateRoot } from 'react-dom/client'
import { assert } from '#core/assert.ts'
import { seedFromPage } from './api/initial-data.ts'
import { newQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { sendToLogin } from './auth/send-to-login.ts'
import { restoreIntoShell, startPwaAfterLoad } from './pwa/begin.ts'
import { catchInstallOffer } from './pwa/install-offer.ts'
import './ui/theme.css'

const root = document.getElementById('root')
assert(root, 'index.html has an element with the id root')

catchInstallOffer()
const client = newQueryClient({ onSignedOut: sendToLogin })
if (seedFromPage(client)) show(root)
else void restoreIntoShell(client).then(() => show(root))
startPwaAfterLoad(client)

function show(place: HTMLElement): void {
  const app = <App client={client} />
  // The landing page is there already and comes to life where it stands.
  if (place.hasChildNodes()) hydrateRoot(place, app)
  else createRoot(place).render(app)
}
