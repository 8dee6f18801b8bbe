import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { useOnline } from './online.ts'

/** A button that moves money: it cannot be pressed offline, and says why. */
export function ActionButton({ disabled = false, ...rest }: ComponentProps<typeof Button>) {
  const online = useOnline()
  return (
    <>
      <Button {...rest} disabled={disabled || !online} />
      {!online && (
        <p role="status" className="text-center text-14 text-ink2">
          You're offline: nothing can be sent until the connection is back.
        </p>
      )}
    </>
  )
}
