import { cookieSwitch } from '#app/ui/device/cookie-switch.ts'

const { useSwitch, turn } = cookieSwitch({
  name: 'first-steps',
  value: 'hidden',
  onPage: ({ hidesFirstSteps }) => hidesFirstSteps,
})

/** Whether this device no longer shows the first steps. */
export function useHiddenFirstSteps(): { hidden: boolean; hide: () => void } {
  return { hidden: useSwitch(), hide: () => turn(true) }
}
