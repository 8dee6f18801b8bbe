import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'button'>, 'aria-label'> & { icon: LucideIcon; label: string }

/** A 48 px target around a 24 px sign, named for those who cannot see it. */
export function IconButton({ icon: Icon, label, className = '', ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={`grid size-12 shrink-0 place-items-center rounded-control text-ink2 transition-[transform,background-color] duration-120
        hover:bg-raised active:scale-95 disabled:opacity-50 disabled:hover:bg-transparent ${className}`}
    >
      <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
