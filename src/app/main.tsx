import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { assert } from '#core/assert.ts'
import type { PageFacts } from '#contract/page-data.ts'
import { language, preferredLanguage } from '#words/language.ts'
import { newQueryClient, seedFromPage } from '#app/api/query-client.ts'
import { App } from './app.tsx'
import { sendToLogin } from './auth/send-to-login.ts'
import { restoreIntoShell, startPwaAfterLoad } from './pwa/load-pwa.ts'
import { catchInstallOffer } from './pwa/install-offer.ts'
import { loadLanguage } from './load-language.ts'
import { fetchScreen } from './screen-code.ts'
import { completeStyles } from './ui/device/complete-styles.ts'
import { cookieOf, setCookie } from './ui/device/cookie-of.ts'
import { noteLeaving } from './ui/device/leaving.ts'
import { deviceLanguages, deviceTimeZone } from './ui/device/reported.ts'
import { tellLostPress } from './ui/overlays/toast.ts'
import './ui/theme.css'

const root = document.getElementById('root')
assert(root, 'index.html has an element with the id root')

setCookies()
catchInstallOffer()
noteLeaving()
tellLostPress()
const client = newQueryClient({ onSignedOut: sendToLogin })
const data = seedFromPage(client)
// The words are loaded before anything is shown.
const words = loadLanguage(
  data?.page?.language ?? preferredLanguage(cookieOf('language'), deviceLanguages()),
)
// Waits for the screen's code, because React would discard the markup of a screen that is updated
// before.
if (data)
  void Promise.allSettled([
    words,
    completeStyles(),
    fetchScreen(location.pathname, client.getQueryData(['getUser'])),
  ]).then(() => show(root, data.page))
else void Promise.allSettled([words, restoreIntoShell(client)]).then(() => show(root))
void words.then(() => startPwaAfterLoad(client))

function show(place: HTMLElement, page?: PageFacts): void {
  const app = <App client={client} page={page} />
  // If the words of its language cannot be loaded, the page is shown in English instead of the
  // server's markup.
  const isSame = page === undefined || page.language === language()
  if (!isSame) place.replaceChildren()
  // A transition hydrates the server's markup in pieces, so that input in the meantime is not
  // delayed.
  if (place.hasChildNodes()) startTransition(() => void hydrateRoot(place, app))
  else {
    // Each screen has its own title, but the first title in a page is used.
    document.querySelector('title')?.remove()
    createRoot(place).render(app)
  }
}

/**
 * Sets the cookies by which the server renders pages for this device. Each visit renews them,
 * because browsers expire a script's cookies after some days.
 */
function setCookies(): void {
  setCookie('time-zone', deviceTimeZone() ?? '')
  setCookie('font', 'fetched')
  for (const name of ['hide-balance', 'language', 'theme']) {
    const chosen = cookieOf(name)
    if (chosen !== undefined) setCookie(name, chosen)
  }
}
