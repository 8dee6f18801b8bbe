import type { ReactNode } from 'react'
import { measureBar } from '#app/ui/frame/measure-bar.ts'

/**
 * The bar with a step's buttons. It stays in view at the lower edge, above the tabs if there are
 * any. What would take more than half of the window, as with large text, comes with the end of the
 * step.
 */
export function StepBar({ children }: { children: ReactNode }) {
  return (
    <div
      ref={measureBar}
      className="sticky bottom-[min(var(--tabs),50dvh_-_var(--bar))] z-20 -mx-5 flex flex-col gap-3 border-t border-hairline bg-paper px-5 pt-3
        pb-[calc(var(--foot)+0.75rem)]"
    >
      {children}
    </div>
  )
}
