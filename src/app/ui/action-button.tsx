import { useId, type ComponentProps } from 'react'
import { Button } from './button.tsx'
import { OfflineReason } from './offline-reason.tsx'
import { useOnline } from './online.ts'

/** A button that moves money: it cannot be pressed offline, and says why. */
export function ActionButton({ disabled = false, ...rest }: ComponentProps<typeof Button>) {
  const online = useOnline()
  const reason = useId()
  return (
    <>
      <Button {...rest} disabled={disabled || !online} aria-describedby={online ? undefined : reason} />
      <OfflineReason id={reason} className="text-center" />
    </>
  )
}
