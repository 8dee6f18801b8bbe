import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { Guarded } from './guarded.tsx'
import { announceInteractive } from './interactive.ts'
import { Skeleton } from './section.tsx'

export const CONTENT = 'content'

type Width = 'form' | 'wide'

const WIDTHS: Record<Width, string> = { form: 'max-w-form', wide: 'max-w-wide' }

/** The column around every screen. Shows an outline until the screen's code has arrived. */
export function ScreenFrame({
  title,
  width,
  children,
}: {
  title: string
  width: Width | undefined
  children: ReactNode
}) {
  const main = useRef<HTMLElement>(null)
  useEffect(() => enterScreen(main.current), [])
  const outline = <ScreenOutline title={title} />
  return (
    <main
      ref={main}
      id={CONTENT}
      tabIndex={-1}
      className={`mx-auto min-h-dvh pt-[env(safe-area-inset-top)]
        pb-[calc(var(--tabs)+var(--foot)+2rem)] outline-none md:pt-4
        ${width ? WIDTHS[width] : 'max-w-page'}`}
    >
      <Suspense fallback={outline}>
        <Guarded placeholder={outline}>{children}</Guarded>
        <Announcement />
      </Suspense>
    </main>
  )
}

/**
 * Announces that the screen responds to input, so that earlier input can be replayed. Mounts
 * together with the screen.
 */
function Announcement() {
  useEffect(announceInteractive, [])
  return null
}

let wentBack = false
let isFirst = true

// Not on the server, which renders this module too but has no history.
if (typeof window !== 'undefined') {
  window.addEventListener('popstate', () => {
    wentBack = true
  })
  // Only navigations to a screen are noted, because closing a sheet also goes back, but to the same
  // screen.
  for (const name of ['pushState', 'replaceState'])
    window.addEventListener(name, () => (wentBack = false))
}

/**
 * A new screen starts at its top and takes the focus, so that it is announced; going back keeps the
 * scroll position.
 */
function enterScreen(screen: HTMLElement | null): void {
  if (!wentBack && !isFirst) window.scrollTo(0, 0)
  if (!isFirst) screen?.focus({ preventScroll: true })
  wentBack = false
  isFirst = false
}

function ScreenOutline({ title }: { title: string }) {
  return (
    <div aria-busy="true" className="px-5 pt-4">
      <title>{`${title} · Trading Bot`}</title>
      <h1 className="flex min-h-12 items-center text-20 font-semibold">{title}</h1>
      <Skeleton className="mt-4 h-40 w-full" />
      <Skeleton className="mt-8 h-6 w-1/2" />
      <Skeleton className="mt-4 h-60 w-full" />
    </div>
  )
}
