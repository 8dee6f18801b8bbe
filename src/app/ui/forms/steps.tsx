import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation, useSearchParams } from '#app/ui/frame/address.ts'

type WayThrough = {
  step: string
  go: (step: string) => void
  back: (step: string) => void
}

/**
 * The step in the address. Each step is a history entry (`/deposit`, then `/deposit?step=card`), so
 * that Back leads to the previous one, and a reload stays.
 */
export function useSteps(): WayThrough {
  const [path, navigate] = useLocation()
  const step = useSearchParams()[0].get('step') ?? ''
  const addressOf = (target: string) => (target === '' ? path : `${path}?step=${target}`)
  return {
    step,
    go: (next) => navigate(addressOf(next), { state: { cameFrom: step } }),
    // Uses Back if the previous entry is this step, so that no entry is added. The previous entry
    // may be another page's.
    back: (to) => (cameFrom() === to ? history.back() : navigate(addressOf(to), { replace: true })),
  }
}

function cameFrom(): unknown {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'cameFrom' in state
    ? state.cameFrom
    : undefined
}

/**
 * When a step replaces another, its heading takes the focus, so that it is read out and the focus
 * is not lost.
 */
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
    <h2
      tabIndex={-1}
      className={`outline-none ${quiet ? 'text-16 text-ink2' : 'text-20 font-semibold'}`}
    >
      {children}
    </h2>
  )
}
