import type { ComponentProps, ReactNode } from 'react'
import { Disclosure } from './disclosure.tsx'

/** A part of a screen that opens at a touch, with its result in one line. */
export function Door({
  title,
  note,
  children,
  ...rest
}: Pick<ComponentProps<'details'>, 'onToggle'> & {
  title: string
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <Disclosure
      {...rest}
      className="mx-5 border-b border-hairline"
      size="text-17"
      summary={
        <h2>
          {title}
          {note !== undefined && (
            <span className="block text-16 font-normal text-pretty text-ink2">{note}</span>
          )}
        </h2>
      }
    >
      <div className="pb-5">{children}</div>
    </Disclosure>
  )
}
