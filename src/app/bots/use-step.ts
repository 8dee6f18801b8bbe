import { useLocation, useSearch } from 'wouter'

export const COINS_STEP = 2
export const LAST_STEP = 3

type Steps = { step: number; next: () => void; back: () => void; open: (step: number) => void }

/** The step in the address. Each is an entry of the history, so that Back leads to the step before, and a reload stays. */
export function useStep(): Steps {
  const [path, navigate] = useLocation()
  const named = Number(new URLSearchParams(useSearch()).get('step'))
  const step = named >= 1 && named <= LAST_STEP ? Math.floor(named) : 1
  const addressOf = (target: number) => (target === 1 ? path : `${path}?step=${target}`)
  const open = (target: number) => navigate(addressOf(target), { state: { cameFrom: step } })
  const back = () => {
    // Coming from the step before, this leaves no second entry for it.
    if (cameFrom() === step - 1) window.history.back()
    else navigate(addressOf(step - 1), { replace: true })
  }
  return { step, next: () => open(step + 1), back, open }
}

/** The step from which this one was opened, if it was. */
function cameFrom(): unknown {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'cameFrom' in state ? state.cameFrom : undefined
}
