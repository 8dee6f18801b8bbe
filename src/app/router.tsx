import { useQueryClient } from '@tanstack/react-query'
import {
  lazy,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
  type ComponentType,
  type LazyExoticComponent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { allScreens, isScreen, screenAt, type NamedScreen } from '#contract/screens.ts'
import { say, t } from '#words/words.ts'
import { PageFactsContext } from '#app/ui/device/device-facts.ts'
import { AddressContext, useLocation } from '#app/ui/frame/address.ts'
import { onceInteractive } from '#app/ui/frame/interactive.ts'
import { MainNav } from '#app/shell/main-nav.tsx'
import { Guarded } from '#app/ui/frame/guarded.tsx'
import { LoadingScreen } from '#app/ui/frame/loading-screen.tsx'
import { ScreenFrame } from '#app/ui/frame/screen-frame.tsx'
import { StaleLine } from '#app/shell/stale-line.tsx'
import { ToastOutlet } from '#app/ui/overlays/toast-outlet.tsx'
import { listenToEvents } from './api/events.ts'
import { useUser } from './api/queries.ts'
import { CODE, fetchedScreen, fetchScreen, fetchTabs } from './screen-code.ts'
import { UnreachableScreen } from './unreachable-screen.tsx'
import { sendToLogin } from './auth/send-to-login.ts'

const NotFoundScreen = lazyScreen(() =>
  import('./not-found-screen.tsx').then((code) => code.NotFoundScreen),
)
const SCREENS = Object.fromEntries(allScreens.map(({ name }) => [name, lazyScreen(CODE[name])]))

function lazyScreen(load: () => Promise<ComponentType>): LazyExoticComponent<ComponentType> {
  return lazy(async () => ({ default: await load() }))
}

const LOADING = (
  <main>
    <LoadingScreen />
  </main>
)

export function Router() {
  const client = useQueryClient()
  const prefetchTarget = ({ target }: PointerEvent) => {
    const path = target instanceof Element ? target.closest('a')?.getAttribute('href') : undefined
    if (path) void fetchScreen(path, client.getQueryData(['getUser']))
  }
  return (
    <div onPointerDownCapture={prefetchTarget}>
      <Guarded placeholder={LOADING}>
        <Screens />
        <ToastOutlet />
      </Guarded>
    </div>
  )
}

function Screens() {
  const user = useUser()
  const [location] = useLocation()
  // Protected screens wait until the user is known. So does '/', which shows different screens to
  // visitors and users.
  const isOpen = location !== '/' && screenAt(location, false) !== undefined
  if (user.data) return <SignedInScreens />
  if (user.isPending && !isOpen) return LOADING
  if (user.isError)
    return <UnreachableScreen error={user.error} onRetry={() => void user.refetch()} />
  return <OpenScreen otherwise={<SignedOutGate />} />
}

function SignedInScreens() {
  const client = useQueryClient()
  const since = useContext(PageFactsContext)?.since
  useEffect(() => onceInteractive(() => listenToEvents(client, since)), [client, since])
  useEffect(() => onceUsed(fetchTabs), [])
  return <OpenScreen isSignedIn otherwise={<ToHome />} />
}

/** `otherwise`: shown instead of a screen that this reader may not see. */
function OpenScreen({
  otherwise,
  isSignedIn = false,
}: {
  otherwise: ReactNode
  isSignedIn?: boolean
}) {
  const [path] = useLocation()
  const screen = screenAt(path, isSignedIn)
  if (!screen && isScreen(path)) return otherwise
  return (
    <>
      {isSignedIn && (!screen || screen.tab) && (
        <MainNav current={screen?.tab} onPhones={!screen?.task} />
      )}
      {screen ? (
        <FramedScreen key={screen.name} screen={screen} />
      ) : (
        <ScreenFrame title={t('404 Page Not Found')} width="form">
          <NotFoundScreen />
        </ScreenFrame>
      )}
    </>
  )
}

function FramedScreen({ screen: { name, title, width, live } }: { screen: NamedScreen }) {
  // Decided once, because another component would lose the screen's state. Without a placeholder if
  // the code has been fetched already.
  const [Component] = useState(() => fetchedScreen(name) ?? SCREENS[name] ?? NotFoundScreen)
  return (
    <>
      <ScreenFrame title={say(title)} width={width}>
        <Component />
      </ScreenFrame>
      {live && <StaleLine figures={live} />}
    </>
  )
}

function ToHome() {
  const { navigate, page } = useContext(AddressContext)
  useLayoutEffect(() => navigate('/', { replace: true }), [navigate])
  page?.redirect('/')
  return null
}

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

function SignedOutGate() {
  useEffect(sendToLogin, [])
  return LOADING
}
