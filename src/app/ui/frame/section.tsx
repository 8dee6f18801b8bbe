import { useId, type ReactNode } from 'react'
import { t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'

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
    <section aria-labelledby={id} className="px-5 pt-6">
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 [&>h2+*]:ms-auto">
        <h2 id={id} className="text-20 font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** `className`: sets the final size, so that nothing shifts. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={
        'block max-w-full rounded-stamp bg-raised motion-safe:animate-breathe ' + className
      }
    />
  )
}

export function LoadProblem({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div
      role="alert"
      className={
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-y ' +
        'border-hairline py-2'
      }
    >
      <p className="text-16 text-ink">{message}</p>
      <Button look="quiet" className="-mr-2" onClick={onRetry}>
        {t('Try again')}
      </Button>
    </div>
  )
}
