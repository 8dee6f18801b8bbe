import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '#words/words.ts'

/** A sheet with a form and its review. `hasReturned`: the form replaced the review. */
export function useReview() {
  const [isReview, setReview] = useState<boolean>()
  return {
    isReview: isReview === true,
    hasReturned: isReview === false,
    review: () => setReview(true),
    back: () => setReview(false),
  }
}

export function SheetStep({
  name,
  arrives,
  unfinished = false,
  children,
}: {
  name: string
  arrives: boolean
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

export function ReviewStep({ children }: { children: ReactNode }) {
  return (
    <SheetStep name={t('Review')} arrives unfinished>
      {children}
    </SheetStep>
  )
}
