import { useQueryClient } from '@tanstack/react-query'
import {
  lazy,
  useContext,
  useEffect,
  useState,
  type ComponentType,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { allScreens, screensFor, type ScreenName } from '#contract/screens.ts'
import { say, t } from '#words/words.ts'
import { PageFactsContext } from '#app/ui/device/device-facts.ts'
import { onceInteractive } from '#app/ui/frame/interactive.ts'
import { MainNav } from '#app/shell/main-nav.tsx'
import { LoadingScreen } from '#app/ui/frame/loading-screen.tsx'
import { ScreenFrame } from '#app/ui/frame/screen-frame.tsx'
import { StaleLine } from '#app/shell/stale-line.tsx'
import { ToastOutlet } from '#app/ui/overlays/toast-outlet.tsx'
import { listenToEvents } from './api/events.ts'
import { useUser } from './api/queries.ts'
import { SignedOutGate } from './auth/signed-out-gate.tsx'
import { loadScreen } from './pwa/load-screen.tsx'
import { CODE, fetchedScreen, fetchScreen, fetchTabsWhenIdle } from './screen-code.ts'
import { UnreachableScreen } from './unreachable-screen.tsx'

const signedInRoutes = routesFor(true)
const signedOutRoutes = routesFor(false)
const NotFoundScreen = lazy(async () => ({
  default: await loadScreen(async () => (await import('./not-found-screen.tsx')).NotFoundScreen),
}))

function routesFor(isSignedIn: boolean) {
  return screensFor(isSignedIn).map(({ name, path, title, tab, task, width, live }) => {
    const Component = lazy(async () => ({ default: await loadScreen(CODE[name]) }))
    return { name, path, title, tab: isSignedIn ? tab : undefined, task, width, live, Component }
  })
}

export function Router() {
  const client = useQueryClient()
  /** Starts to load a screen when its link is pressed down, before the click. */
  const prefetchTarget = ({ target }: PointerEvent) => {
    const path = target instanceof Element ? target.closest('a')?.getAttribute('href') : undefined
    if (path) void fetchScreen(path, client.getQueryData(['getUser']))
  }
  return (
    <div onPointerDownCapture={prefetchTarget}>
      <Screens />
      <ToastOutlet />
    </div>
  )
}

function Screens() {
  const user = useUser()
  const [location] = useLocation()
  // Protected screens wait until the user is known, and so does '/', which is two screens.
  const isOpen = location !== '/' && signedOutRoutes.some(({ path }) => path === location)
  if (user.data) return <SignedInScreens />
  if (user.isPending && !isOpen) {
    return (
      <main>
        <LoadingScreen />
      </main>
    )
  }
  if (user.isError)
    return <UnreachableScreen error={user.error} onRetry={() => void user.refetch()} />
  return <Routes screens={signedOutRoutes} otherwise={<SignedOutGate />} />
}

function SignedInScreens() {
  const client = useQueryClient()
  const since = useContext(PageFactsContext)?.since
  useEffect(() => onceInteractive(() => listenToEvents(client, since)), [client, since])
  useEffect(() => onceUsed(fetchTabsWhenIdle), [])
  return <Routes isSignedIn screens={signedInRoutes} otherwise={<Redirect to="/" replace />} />
}

/** `otherwise` stands in for the screens of the product that are not among `screens`. */
function Routes({
  screens,
  otherwise,
  isSignedIn = false,
}: {
  screens: typeof signedInRoutes
  otherwise: ReactNode
  isSignedIn?: boolean
}) {
  return (
    <Switch>
      {screens.map(({ name, path, title, tab, task = false, width, live, Component }) => (
        <Route key={path} path={path}>
          {tab && <MainNav current={tab} onPhones={!task} />}
          <ScreenFrame title={say(title)} width={width}>
            <ScreenCode name={name} otherwise={Component} />
          </ScreenFrame>
          {live && <StaleLine figures={live} />}
        </Route>
      ))}
      {allScreens.map(({ name, path }) => (
        <Route key={name} path={path}>
          {otherwise}
        </Route>
      ))}
      <Route>
        {isSignedIn && <MainNav onPhones />}
        <ScreenFrame title={t('404 Page Not Found')} width="form">
          <NotFoundScreen />
        </ScreenFrame>
      </Route>
    </Switch>
  )
}

/**
 * Without a placeholder if its code is here already. Decided once, since another component would
 * lose the screen's state.
 */
function ScreenCode({ name, otherwise }: { name: ScreenName; otherwise: ComponentType }) {
  const [Component] = useState(() => fetchedScreen(name) ?? otherwise)
  return <Component />
}

/** Runs `act` at the first sign that somebody uses the page. Returns a stop function. */
function onceUsed(act: () => void): () => void {
  const listening = new AbortController()
  const begin = () => {
    listening.abort()
    act()
  }
  for (const name of ['pointermove', 'pointerdown', 'keydown', 'scroll'])
    window.addEventListener(name, begin, { passive: true, signal: listening.signal })
  return () => listening.abort()
}
