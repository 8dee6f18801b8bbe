import { useQueryClient } from '@tanstack/react-query'
import { lazy, useContext, useEffect, type ComponentType, type PointerEvent } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { PageFactsContext } from '#app/ui/device/device-facts.ts'
import { onceInteractive } from '#app/ui/frame/interactive.ts'
import { BottomNav } from '#app/shell/bottom-nav.tsx'
import { LoadingScreen } from '#app/ui/frame/loading-screen.tsx'
import { ScreenFrame } from '#app/ui/frame/screen-frame.tsx'
import { StaleLine, type LiveFigures } from '#app/shell/stale-line.tsx'
import { ToastOutlet } from '#app/ui/overlays/toast-outlet.tsx'
import { listenToEvents } from './api/events.ts'
import { useUser } from './api/queries.ts'
import { SignedOutGate } from './auth/signed-out-gate.tsx'
import { NotFoundScreen } from './not-found-screen.tsx'
import { loadScreen } from './pwa/load-screen.tsx'
import { UnreachableScreen } from './unreachable-screen.tsx'

/** `live`: what the event stream keeps current on it. */
type Screen = { path: string; tabs?: boolean; live?: LiveFigures; load: () => Promise<ComponentType> }

/** Screens of a signed-in user; each is fetched when it is first needed. */
const SIGNED_IN: readonly Screen[] = [
  { path: '/', tabs: true, live: 'Prices', load: async () => (await import('./home/home-screen.tsx')).HomeScreen },
  { path: '/deposit', load: async () => (await import('./deposits/deposit-screen.tsx')).DepositScreen },
  { path: '/withdraw', live: 'Figures', load: async () => (await import('./withdrawals/withdraw-screen.tsx')).WithdrawScreen },
  { path: '/bot-config', tabs: true, live: 'Prices', load: async () => (await import('./bots/bots-screen.tsx')).BotsScreen },
  { path: '/bot-config/:id', tabs: true, live: 'Prices', load: async () => (await import('./bots/bot-screen.tsx')).BotScreen },
  { path: '/history', tabs: true, live: 'Figures', load: async () => (await import('./history/history-screen.tsx')).HistoryScreen },
  { path: '/profile', tabs: true, live: 'Prices', load: async () => (await import('./profile/profile-screen.tsx')).ProfileScreen },
]

const SIGNED_OUT: readonly Screen[] = [
  { path: '/', load: async () => (await import('./auth/landing-screen.tsx')).LandingScreen },
  { path: '/login', load: async () => (await import('./auth/login-screen.tsx')).LoginScreen },
  { path: '/signup', load: async () => (await import('./auth/signup-screen.tsx')).SignupScreen },
]

const HELP: Screen = { path: '/help', tabs: true, load: async () => (await import('./help/help-screen.tsx')).HelpScreen }

/** Open to both. */
const EVIDENCE: Screen = { path: '/evidence', load: async () => (await import('./evidence/evidence-screen.tsx')).EvidenceScreen }

const signedInRoutes = [...SIGNED_IN, HELP, EVIDENCE].map(withComponent)
const signedOutRoutes = [...SIGNED_OUT, HELP, EVIDENCE].map(withComponent)

function withComponent({ path, tabs = false, live, load }: Screen) {
  return { path, tabs, live, Component: lazy(async () => ({ default: await loadScreen(load) })) }
}

export function Router() {
  return (
    <div onPointerDownCapture={fetchAhead}>
      <Screens />
      <ToastOutlet />
    </div>
  )
}

/** The finger is down on a link: its screen is on the way before it is up. */
function fetchAhead({ target }: PointerEvent): void {
  const path = target instanceof Element ? target.closest('a')?.getAttribute('href') : undefined
  if (path) void fetchScreen(path, true)
}

/** Fetches the code of a screen. What fails here is told when the screen is opened. */
export async function fetchScreen(path: string, user: unknown): Promise<void> {
  const screens = [...(user ? SIGNED_IN : SIGNED_OUT), HELP, EVIDENCE]
  const pattern = path.replace(/^\/bot-config\/.+/, '/bot-config/:id')
  await screens.find((screen) => screen.path === pattern)?.load().catch(() => undefined)
}

function Screens() {
  const user = useUser()
  const [location] = useLocation()
  const open = ['/login', '/signup', '/help', '/evidence'].includes(location)
  if (user.data) return <SignedInScreens />
  if (user.isPending && !open) {
    return (
      <main>
        <LoadingScreen />
      </main>
    )
  }
  if (user.isError) return <UnreachableScreen onRetry={() => void user.refetch()} />
  return <SignedOutScreens />
}

function SignedInScreens() {
  const client = useQueryClient()
  const since = useContext(PageFactsContext)?.at
  useEffect(() => onceInteractive(() => listenToEvents(client, since)), [client, since])
  return (
    <Switch>
      <Route path="/login">
        <Redirect to="/" replace />
      </Route>
      <Route path="/signup">
        <Redirect to="/" replace />
      </Route>
      {signedInRoutes.map(({ path, tabs, live, Component }) => (
        <Route key={path} path={path}>
          <ScreenFrame tabs={tabs}>
            <Component />
          </ScreenFrame>
          {live && <StaleLine figures={live} />}
          {tabs && <BottomNav />}
        </Route>
      ))}
      <Route>
        <NotFoundScreen />
      </Route>
    </Switch>
  )
}

function SignedOutScreens() {
  return (
    <Switch>
      {signedOutRoutes.map(({ path, Component }) => (
        <Route key={path} path={path}>
          <ScreenFrame tabs={false}>
            <Component />
          </ScreenFrame>
        </Route>
      ))}
      {SIGNED_IN.slice(1).map(({ path }) => (
        <Route key={path} path={path}>
          <SignedOutGate />
        </Route>
      ))}
      <Route>
        <NotFoundScreen />
      </Route>
    </Switch>
  )
}
