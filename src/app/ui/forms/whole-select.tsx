import type { ComponentProps } from 'react'
import { ChevronDown } from '#app/ui/frame/icons.ts'

/**
 * A select that shows a long choice in full, which browsers would cut to one line: `shown` is drawn
 * below the select itself.
 */
export function WholeSelect({
  shown,
  ...rest
}: Omit<ComponentProps<'select'>, 'className'> & { shown: string }) {
  return (
    <div
      className={
        'relative flex min-h-13 items-center gap-2 rounded-control border border-control ' +
        'bg-surface py-3 pr-3 pl-4 text-16 text-ink has-focus-visible:outline-2 ' +
        'has-focus-visible:outline-accent'
      }
    >
      <span aria-hidden="true" className="min-w-0 flex-1 wrap-anywhere">
        {shown}
      </span>
      <ChevronDown size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-ink2" />
      <select
        {...rest}
        className="absolute -inset-px size-[calc(100%+2px)] cursor-pointer text-16 opacity-0"
      />
    </div>
  )
}
