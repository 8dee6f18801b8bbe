import type { ReactNode } from 'react'

/** The rows of one day, below a heading that stays in view while they scroll. */
export function DaySection({ day, children }: { day: string; children: ReactNode }) {
  return (
    <section aria-label={day}>
      <h2
        className={
          'sticky top-0 z-10 -mx-5 bg-paper px-5 pt-4 pb-1 text-14 font-semibold text-ink2'
        }
      >
        {day}
      </h2>
      <ul className="divide-y divide-hairline">{children}</ul>
    </section>
  )
}
