import { useEffect, useRef, type ReactNode } from 'react'

/** Takes the place of a form whose work is done, and the focus, so that it is read out. */
export function DoneNote({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => note.current?.focus(), [])
  return (
    <div ref={note} tabIndex={-1} className="grid gap-5 outline-none">
      <div>
        <h2 className="text-20 font-semibold">{title}</h2>
        <p className="mt-1 text-16 text-ink2 wrap-anywhere">{children}</p>
      </div>
      {action}
    </div>
  )
}
