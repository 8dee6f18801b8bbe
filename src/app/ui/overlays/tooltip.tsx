import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

const OPEN_DELAY_MS = 700
const SKIP_DELAY_MS = 300

/** Tooltips that belong together: while one is open, and for 300 ms after it, the next opens without the delay. */
export function TooltipGroup({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={OPEN_DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </Radix.Provider>
  )
}

/** Names an icon on hover. Touch and screen reader users get the name from the control's label. Needs a `TooltipGroup` around it. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content sideOffset={4} className="z-50 max-w-64 rounded-stamp bg-ink px-2.5 py-1.5 text-14 text-paper">
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
