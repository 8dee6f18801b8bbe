import type { ComponentProps } from 'react'
import type { Icon } from '#app/ui/frame/drawn-icon.ts'

/**
 * A 24 px icon in a 48 px touch target, neither of which grows with the text; `label` is its
 * accessible name.
 */
export function IconButton({
  icon: Icon,
  label,
  className = '',
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> & { icon: Icon; label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={`grid size-[48px] shrink-0 place-items-center rounded-control text-ink2 transition-[transform,background-color] duration-120
        hover:bg-raised active:scale-95 disabled:opacity-50 disabled:hover:bg-transparent ${className}`}
    >
      <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
