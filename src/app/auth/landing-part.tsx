import { useId, type ReactNode } from 'react'

/** A titled part of the landing page. */
export function LandingPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="text-20 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
