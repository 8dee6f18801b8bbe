import { StrictMode, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { PageFacts } from '#contract/page-data.ts'
import { screenAt } from '#contract/screens.ts'
import { PageFactsContext } from '#app/ui/device/device-facts.ts'
import { isInsideApp } from '#app/ui/device/inside-app.ts'
import { AddressContext, type Navigate, type ServedPage } from '#app/ui/frame/address.ts'
import { isOverlayEntry, onceSettled } from '#app/ui/overlays/overlay-history.ts'
import { Router } from './router.tsx'
import { fetchScreen, isFetched } from './screen-code.ts'

/**
 * The whole app. `page`: given when the server renders the app and when the browser hydrates its
 * markup.
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

/**
 * Maximum time for which the old screen stays while the next one's code loads; then the next screen
 * shows its outline.
 */
const LONGEST_WAIT_MS = 1_000

type Options = { replace?: boolean; state?: object }

let latest = 0

/**
 * The old screen stays until the next one's code has loaded. A later navigation, or Back, cancels a
 * waiting one.
 */
function changeScreens(isSignedIn: () => boolean): Navigate {
  return (to, options) => {
    latest += 1
    showLeaving(false)
    const go = () => onceSettled(() => navigate(to, entryOf(options)))
    const [path = to] = to.split(/[?#]/, 1)
    if (path === location.pathname || isGone(isSignedIn()) || isFetched(path, isSignedIn()))
      return go()
    return void whenReady(fetchScreen(path, isSignedIn()), go)
  }
}

/**
 * Whether the old screen no longer exists, because the user has just signed in or out. Then it is
 * hidden at once, even if the next screen is still loading.
 */
function isGone(isSignedIn: boolean): boolean {
  return screenAt(location.pathname, isSignedIn) === undefined
}

async function whenReady(code: Promise<void>, show: () => void): Promise<void> {
  const [mine, from] = [latest, location.pathname]
  showLeaving(true)
  await Promise.race([code, wait(LONGEST_WAIT_MS)])
  if (mine !== latest) return
  showLeaving(false)
  if (from === location.pathname) show()
}

function showLeaving(isLeaving: boolean): void {
  document.documentElement.toggleAttribute('data-leaving', isLeaving)
}

/**
 * The history entry of a navigation: replaces a sheet's entry, and stores whether Back stays in the
 * app.
 */
function entryOf({ replace = false, state }: Options = {}): Options {
  const isReplaced = replace || isOverlayEntry()
  const isInside = !replace || isInsideApp()
  return { replace: isReplaced, state: { ...state, isInside } }
}

function wait(timeMs: number): Promise<void> {
  return new Promise((done) => void setTimeout(done, timeMs))
}
