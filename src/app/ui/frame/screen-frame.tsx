import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { announceInteractive } from './interactive.ts'
import { LoadingScreen } from './loading-screen.tsx'

/** The column around every screen, with room for the tab bar if there is one. Shows `LoadingScreen` until the screen's code has arrived. */
export function ScreenFrame({ tabs, children }: { tabs: boolean; children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  useEffect(() => enterScreen(main.current), [])
  return (
    <main
      ref={main}
      tabIndex={-1}
      className={`mx-auto min-h-dvh max-w-page border-hairline pt-[env(safe-area-inset-top)] outline-none md:border-x
        ${tabs ? 'pb-[calc(env(safe-area-inset-bottom)+6rem)]' : 'pb-[calc(env(safe-area-inset-bottom)+2rem)]'}`}
    >
      <Suspense fallback={<LoadingScreen />}>
        {children}
        <Announcement />
      </Suspense>
    </main>
  )
}

/** Mounts together with the screen: from then on the screen responds to input, and earlier input can be replayed. */
function Announcement() {
  useEffect(announceInteractive, [])
  return null
}

let wentBack = false
let isFirst = true

// The server renders this module too, and has no history.
if (typeof window !== 'undefined') {
  window.addEventListener('popstate', () => {
    wentBack = true
  })
}

/** A new screen starts at its top and takes the focus, so that screen readers announce it; going back keeps the scroll position. */
function enterScreen(screen: HTMLElement | null): void {
  if (!wentBack && !isFirst) window.scrollTo(0, 0)
  if (!isFirst) screen?.focus({ preventScroll: true })
  wentBack = false
  isFirst = false
}
