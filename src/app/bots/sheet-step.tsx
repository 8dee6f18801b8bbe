import { useEffect, useRef, type ReactNode } from 'react'

export function SheetStep({
  name,
  arrives = false,
  unfinished = false,
  children,
}: {
  name: string
  /**
   * The step replaced another in the same sheet. Whatever had the focus is gone, so the step takes
   * it.
   */
  arrives?: boolean
  /** A reload would lose something here. */
  unfinished?: boolean
  children: ReactNode
}) {
  const step = useRef<HTMLElement>(null)
  useEffect(() => {
    if (arrives) step.current?.focus()
  }, [arrives])
  return (
    <section
      ref={step}
      tabIndex={-1}
      aria-label={name}
      data-unfinished={unfinished || undefined}
      className="flex flex-col gap-5 outline-none"
    >
      {children}
    </section>
  )
}
