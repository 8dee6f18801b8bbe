import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** A name for a sign, for those who hover; touch and screen readers get the same words from the control's label. Stands in a `TooltipGroup`. */
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
