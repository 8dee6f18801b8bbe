import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useSearchParameter } from '#app/ui/device/use-search-parameter.ts'

type WayThrough = {
  /** '' for the first. */
  step: string
  go: (step: string) => void
  back: () => void
}

/** The steps of the screen at `path`, each an entry of the browser's history: `/deposit`, then `/deposit?step=card`. */
export function useSteps(path: string): WayThrough {
  const step = useSearchParameter('step')
  const [, navigate] = useLocation()
  const entered = useRef(false)
  return {
    step,
    go: (next) => {
      entered.current = true
      navigate(`${path}?step=${next}`)
    },
    // After a reload the entry before may be another page's.
    back: () => (entered.current ? history.back() : navigate(path, { replace: true })),
  }
}

/** Shows one step. When it replaces another, its heading takes the focus: it is read out, and the focus is not lost with the last step. */
export function Steps({ current, children }: { current: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(current)
  useEffect(() => {
    if (shown.current === current) return
    shown.current = current
    window.scrollTo(0, 0)
    place.current?.querySelector<HTMLElement>('h2[tabindex]')?.focus({ preventScroll: true })
  }, [current])
  return (
    <div ref={place} className="px-5 pt-4">
      {children}
    </div>
  )
}

export function StepHeading({ children, quiet = false }: { children: ReactNode; quiet?: boolean }) {
  return (
    <h2 tabIndex={-1} className={`outline-none ${quiet ? 'text-16 text-ink2' : 'text-20 font-semibold'}`}>
      {children}
    </h2>
  )
}
