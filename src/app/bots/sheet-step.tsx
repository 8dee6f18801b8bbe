import { useEffect, useRef, type ReactNode } from 'react'

type Props = {
  /** Read out when the step takes the place of another. */
  name: string
  /** The step came after another in the same sheet: what had the focus is gone, so the step has it. */
  arrives?: boolean
  /** Something here would be lost by a reload. */
  unfinished?: boolean
  children: ReactNode
}

/** One of the steps in a sheet. */
export function SheetStep({ name, arrives = false, unfinished = false, children }: Props) {
  const step = useRef<HTMLElement>(null)
  useEffect(() => {
    if (arrives) step.current?.focus()
  }, [arrives])
  return (
    <section ref={step} tabIndex={-1} aria-label={name} data-unfinished={unfinished || undefined} className="flex flex-col gap-5 outline-none">
      {children}
    </section>
  )
}
