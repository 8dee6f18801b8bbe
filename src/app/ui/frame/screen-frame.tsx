import { useEffect, useRef, type ReactNode } from 'react'
import { arrive } from './arrival.ts'

/** The column that every screen stands in; leaves room for the tabs. */
export function ScreenFrame({ tabs, children }: { tabs: boolean; children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  useEffect(() => arrive(main.current), [])
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
