import { cookieSwitch } from './cookie-switch.ts'

const { useSwitch, turn } = cookieSwitch({
  name: 'hide-balance',
  value: 'yes',
  onPage: ({ hidesBalance }) => hidesBalance,
})

/**
 * Whether this device hides the user's own amounts from onlookers. `<Money>`, `<Change>` and
 * `useMoneyText` follow it.
 */
export function useHiddenBalance(): { hidden: boolean; toggle: () => void } {
  const hidden = useSwitch()
  return { hidden, toggle: () => turn(!hidden) }
}
