import { useId, type ReactNode } from 'react'

/** A titled section of a screen; `aside` is placed to the right of the heading. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="px-5 pt-8">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3">
        <h2 id={id} className="text-20 font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
