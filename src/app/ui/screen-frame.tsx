import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'wouter'

/** The column that every screen stands in; leaves room for the tabs. A new screen starts at its top and is announced. */
export function ScreenFrame({ tabs, children }: { tabs: boolean; children: ReactNode }) {
  const [location] = useLocation()
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    if (history.state === null) window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [location])
  return (
    <main
      ref={main}
      tabIndex={-1}
      className={`mx-auto min-h-dvh max-w-page border-hairline pt-[env(safe-area-inset-top)] outline-none md:border-x
        ${tabs ? 'pb-[calc(env(safe-area-inset-bottom)+6rem)]' : 'pb-[calc(env(safe-area-inset-bottom)+2rem)]'}`}
    >
      {children}
    </main>
  )
}
