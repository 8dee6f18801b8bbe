import { useQueryClient } from '@tanstack/react-query'
import { lazy, useContext, useEffect, type ComponentType, type PointerEvent, type ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { allScreens, screenAt, screensFor, type ScreenName } from '#contract/screens.ts'
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
import { NotFoundScreen } from './not-found-screen.tsx'
import { loadScreen } from './pwa/load-screen.tsx'
import { UnreachableScreen } from './unreachable-screen.tsx'

/** The code of each screen, fetched when it is first needed. */
const CODE: Record<ScreenName, () => Promise<ComponentType>> = {
  landing: async () => (await import('./auth/landing-screen.tsx')).LandingScreen,
  login: async () => (await import('./auth/login-screen.tsx')).LoginScreen,
  signup: async () => (await import('./auth/signup-screen.tsx')).SignupScreen,
  home: async () => (await import('./home/home-screen.tsx')).HomeScreen,
  coin: async () => (await import('./coin/coin-screen.tsx')).CoinScreen,
  deposit: async () => (await import('./deposits/deposit-screen.tsx')).DepositScreen,
  withdraw: async () => (await import('./withdrawals/withdraw-screen.tsx')).WithdrawScreen,
  bots: async () => (await import('./bots/bots-screen.tsx')).BotsScreen,
  newBot: async () => (await import('./bots/new-bot-screen.tsx')).NewBotScreen,
  bot: async () => (await import('./bots/bot-screen.tsx')).BotScreen,
  compare: async () => (await import('./bots/compare-screen.tsx')).CompareScreen,
  history: async () => (await import('./history/history-screen.tsx')).HistoryScreen,
  help: async () => (await import('./help/help-screen.tsx')).HelpScreen,
  profile: async () => (await import('./profile/profile-screen.tsx')).ProfileScreen,
  evidence: async () => (await import('./evidence/evidence-screen.tsx')).EvidenceScreen,
}

const signedInRoutes = routesFor(true)
const signedOutRoutes = routesFor(false)

function routesFor(isSignedIn: boolean) {
  return screensFor(isSignedIn).map(({ name, path, tab, task, width, live }) => {
    const Component = lazy(async () => ({ default: await loadScreen(CODE[name]) }))
    return { path, tab: isSignedIn ? tab : undefined, task, width, live, Component }
  })
}

export function Router() {
  return (
    <div onPointerDownCapture={prefetchTarget}>
      <Screens />
      <ToastOutlet />
    </div>
  )
}

/** Starts to load a screen when its link is pressed down, before the click. */
function prefetchTarget({ target }: PointerEvent): void {
  const path = target instanceof Element ? target.closest('a')?.getAttribute('href') : undefined
  if (path) void fetchScreen(path, true)
}

/** Fetches the code of a screen. A failure is reported when the screen is opened. */
export async function fetchScreen(path: string, user: unknown): Promise<void> {
  const screen = screenAt(path, Boolean(user))
  await (screen && CODE[screen.name]().catch(() => undefined))
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
  if (user.isError) return <UnreachableScreen onRetry={() => void user.refetch()} />
  return <Routes screens={signedOutRoutes} otherwise={<SignedOutGate />} />
}

function SignedInScreens() {
  const client = useQueryClient()
  const since = useContext(PageFactsContext)?.at
  useEffect(() => onceInteractive(() => listenToEvents(client, since)), [client, since])
  return <Routes screens={signedInRoutes} otherwise={<Redirect to="/" replace />} />
}

/** `otherwise` stands in for the screens of the product that are not among `screens`. */
function Routes({ screens, otherwise }: { screens: typeof signedInRoutes; otherwise: ReactNode }) {
  return (
    <Switch>
      {screens.map(({ path, tab, task = false, width, live, Component }) => (
        <Route key={path} path={path}>
          {tab && <MainNav current={tab} onPhones={!task} />}
          <ScreenFrame width={width}>
            <Component />
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
        <NotFoundScreen />
      </Route>
    </Switch>
  )
}
