import { useSteps } from '#app/ui/forms/steps.tsx'

export const COINS_STEP = 2
export const LAST_STEP = 3

type Steps = { step: number; next: () => void; back: () => void; open: (step: number) => void }

/** The steps of a new bot, counted from 1. */
export function useStep(): Steps {
  const { step: named, go, back } = useSteps()
  const step = Number(named) >= 1 && Number(named) <= LAST_STEP ? Math.floor(Number(named)) : 1
  const open = (target: number) => go(nameOf(target))
  return { step, next: () => open(step + 1), back: () => back(nameOf(step - 1)), open }
}

function nameOf(step: number): string {
  return step === 1 ? '' : String(step)
}
